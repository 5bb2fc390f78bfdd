"""Reads a mapping file: YAML 1.2 to the typed model, with every error placed by its key path.

The traps of YAML that would change a mapping without a word are errors here: a version read as a number,
`yes` that is a string, a number that is a string, a key written twice.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
from ruamel.yaml import YAML
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from mindport.mapping.problem import MappingProblem, did_you_mean
from mindport.mapping.schema import (
    ArgumentRule,
    Case,
    CatalogueNames,
    Condition,
    Example,
    Mapping,
    Predicate,
)
from mindport.model.target import Version

_AT = re.compile(r"(?P<message>.*?)(?: - at `(?P<path>[^`]*)`)?$", re.DOTALL)
_UNKNOWN_FIELD = re.compile(r"Object contains unknown field `(?P<field>[^`]*)`")
_BAD_CHOICE = re.compile(r"Invalid enum value (?P<value>'.*')")
_NUMBER_TEXT = re.compile(r"[-+]?(\d[\d_]*\.?\d*|\.\d+)([eE][-+]?\d+)?")
_BOOLEAN_TEXT = frozenset({"yes", "no", "on", "off", "y", "n", "true", "false"})
_GENERATED = frozenset({"evidence", "contents"})
_VERSION_KEYS = frozenset({"since", "until", "deprecated"})


def read_mapping(text: str, file: str) -> Mapping | tuple[MappingProblem, ...]:
    """The mapping that `text` holds, or everything that keeps it from being one. `file` names it in the
    messages."""
    try:
        raw = YAML(typ="safe").load(text)  # in C where ruamel.yaml.clib is installed
    except DuplicateKeyError as error:
        return (MappingProblem(file, _place(error), f"{error.problem or 'a key is written twice'}"),)
    except MarkedYAMLError as error:
        return (MappingProblem(file, _place(error), f"not YAML: {error.problem or error.context or error}"),)
    except YAMLError as error:
        return (MappingProblem(file, "", f"not YAML: {error}"),)
    if not isinstance(raw, dict):
        return (MappingProblem(file, "", "a mapping file holds keys: torch, summary, cases, ..."),)
    if generated := raw.keys() & _GENERATED:
        message = "belongs to mappings/_evidence, which scripts/run_oracles.py writes"
        return tuple(MappingProblem(file, key, message) for key in sorted(generated))
    traps = tuple(_traps(raw, file))
    if traps:
        return traps
    try:
        return msgspec.convert(raw, Mapping)
    except msgspec.ValidationError as error:
        return (_explained(error, raw, file),)


def read_mapping_file(path: Path, file: str | None = None) -> Mapping | tuple[MappingProblem, ...]:
    """`read_mapping` of a file on disk; bytes that are no UTF-8 and missing files are problems too."""
    name = file or path.as_posix()
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        return (MappingProblem(name, "", f"not UTF-8 at byte {error.start}"),)
    except OSError as error:
        return (MappingProblem(name, "", f"cannot be read: {error.strerror or error}"),)
    return read_mapping(text, name)


def _place(error: MarkedYAMLError) -> str:
    mark = error.problem_mark or error.context_mark
    return "" if mark is None else f"line {mark.line + 1}, column {mark.column + 1}"


def _traps(raw: dict[str, Any], file: str) -> list[MappingProblem]:
    """Values that YAML reads as something else than the author wrote."""
    problems = []
    for path, key, value in _leaves(raw, ""):
        if key in _VERSION_KEYS and isinstance(value, (int, float)) and not isinstance(value, bool):
            problems.append(
                MappingProblem(
                    file, path, f"a version is text: quote it (unquoted, 2.10 is the number 2.1), got {value}"
                )
            )
        elif key in ("since", "until") and isinstance(value, str):
            try:
                Version.parse(value)
            except ValueError as error:
                problems.append(MappingProblem(file, path, str(error)))
        elif ".when." in path and isinstance(value, str) and not path.endswith(".kind"):
            if value.lower() in _BOOLEAN_TEXT:
                problems.append(MappingProblem(file, path, f"{value!r} is text here: write true or false"))
            elif _NUMBER_TEXT.fullmatch(value):
                problems.append(
                    MappingProblem(file, path, f"{value!r} is text here: write the number, such as 1.0e-5")
                )
    return problems


def _leaves(node: Any, path: str, key: str = "") -> list[tuple[str, str, Any]]:
    if isinstance(node, dict):
        found = []
        for name, value in node.items():
            found += _leaves(value, f"{path}.{name}" if path else str(name), str(name))
        return found
    if isinstance(node, list):
        return [leaf for i, item in enumerate(node) for leaf in _leaves(item, f"{path}[{i}]", key)]
    return [(path, key, node)]


_FIELDS: dict[str, type] = {
    "": Mapping,
    "torch": CatalogueNames,
    "cases": Case,
    "examples": Example,
    "when": Predicate,
    "args": ArgumentRule,
}


def _explained(error: msgspec.ValidationError, raw: dict[str, Any], file: str) -> MappingProblem:
    """msgspec's message with the real key in place of `[...]`, and the nearest known word."""
    match = _AT.match(str(error))
    message, path = (match["message"], match["path"] or "$") if match else (str(error), "$")
    key_path = _real_keys(path.removeprefix("$").removeprefix("."), raw)
    owner = _FIELDS.get(_owner(key_path))
    unknown = _UNKNOWN_FIELD.match(message)
    if unknown and owner is not None:
        fields = [field.encode_name for field in msgspec.structs.fields(owner)]
        near = did_you_mean(unknown["field"], fields) or f" (known: {', '.join(fields)})"
        return MappingProblem(file, key_path, f"unknown key {unknown['field']!r}{near}")
    choice = _BAD_CHOICE.match(message)
    if choice:
        field_name = re.sub(r"\[\d+\]$", "", key_path.rsplit(".", 1)[-1])
        parent = _FIELDS.get(_owner(key_path.rsplit(".", 1)[0] if "." in key_path else ""))
        known = _choices(parent, field_name)
        value = choice["value"].strip("'")
        near = did_you_mean(value, known) or f" (known: {', '.join(known)})"
        return MappingProblem(file, key_path, f"unknown value {value!r}{near}")
    return MappingProblem(file, key_path, message[:1].lower() + message[1:])


def _owner(key_path: str) -> str:
    """Which struct a key path leads to: the last of its names that is one, `when.dim` counting as `when`."""
    names = [re.sub(r"\[\d+\]$", "", part) for part in key_path.split(".") if part]
    return next((name for name in reversed(names) if name in _FIELDS), "")


def _choices(owner: type | None, field_name: str) -> list[str]:
    if owner is None:
        return []
    for field in msgspec.structs.fields(owner):
        if field.encode_name == field_name:
            return [text for text in _literals(field.type) if text]
    return []


def _literals(annotation: Any) -> list[str]:
    found: list[str] = []
    for argument in get_args(annotation):
        found += [argument] if isinstance(argument, str) else _literals(argument)
    return found


def _real_keys(path: str, raw: Any) -> str:
    """Replaces each `[...]` (msgspec's word for a key of a dict) by the key whose value is wrong."""
    if "[...]" not in path:
        return path
    before, after = path.split("[...]", 1)
    node = raw
    for part in re.findall(r"[^.\[\]]+|\[\d+\]", before):
        node = node[int(part[1:-1])] if part.startswith("[") else node[part]
    name = re.sub(r".*[.\]]", "", before)
    expected: Any = {"when": Condition, "args": str | ArgumentRule}.get(name, str)
    for key, value in node.items():
        try:
            msgspec.convert(value, expected)
        except msgspec.ValidationError:
            return f"{before}.{key}{after}"
    return path
