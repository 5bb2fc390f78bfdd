"""The words that configuration beside a project's code has as values: `getattr(nn, config["activation"])` may look up
any of them that torch has a name for, and `eval(config["activation"])` those that are written `nn.ReLU`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mindport.source.text import YAML_SUFFIXES, SourceText, read_source

_LOOKS_UP = re.compile(
    r"""\bgetattr\(\s*(?:\w+\.)*(?:nn|F|functional|init|torch|torchvision|models)\s*,|(?<![.\w])eval\(\s*[^\s"')]"""
)
_FOLDERS = re.compile(r"(?i)conf|cfg|option|param|experiment|yaml|json")
_MOST_FILES = 200
_MOST_FOLDERS = 2000
_MOST_BYTES = 64 * 1024  # larger ones hold data
_VALUE_OF_YAML = re.compile(
    r"""(?m)(?:^|[:\-\[,{])[ \t]*(["']?)((?:nn\.)?[A-Za-z_]\w*)(?:\([^\n"']*\))?\1[ \t]*(?=$|[,\]}]|[ \t]\#)"""
)
_VALUE_OF_JSON = re.compile(r"""((?:nn\.)?[A-Za-z_]\w*)(?:\([^\n"']*\))?""")


def looks_names_up(text: str) -> bool:
    """Whether the code may look a name of torch up that configuration tells."""
    return _LOOKS_UP.search(text) is not None


def configured_words(texts: Mapping[str, str]) -> frozenset[str]:
    """The words that are values in the JSON and YAML files beside Python files, or in and below a folder for such files
    there, where any of the texts (by full path) looks names up. What cannot be read has none."""
    if not any(map(looks_names_up, texts.values())):
        return frozenset()
    folders = sorted({os.path.dirname(path) for path in texts})  # noqa: PTH120  of thousands of paths
    found = set[str]()
    for number, path in enumerate(_configurations(folders)):
        if number == _MOST_FILES:
            break
        source = read_source(path, _MOST_BYTES)
        if isinstance(source, SourceText):
            found.update(_words(path, source.text))
    return frozenset(found)


def _configurations(folders: Iterable[str]) -> Iterator[str]:
    seen = set[str]()
    pending = [(folder, True) for folder in folders]
    for folder, is_of_code in pending:
        if len(seen) == _MOST_FOLDERS:
            return
        if folder in seen:
            continue
        seen.add(folder)
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.name.endswith((*YAML_SUFFIXES, ".json")):
                yield entry.path
            elif entry.name[0] != "." and _may_hold(entry.name, is_of_code) and entry.is_dir():
                pending.append((entry.path, False))


def _may_hold(folder: str, is_beside_code: bool) -> bool:
    """Whether it may have configuration: by its name, or as part of a folder that has (`cfg/training`)."""
    return not is_beside_code or _FOLDERS.search(folder) is not None


def _words(path: str, text: str) -> Iterable[str]:
    if path.endswith(YAML_SUFFIXES):
        return (match[2] for match in _VALUE_OF_YAML.finditer(text))
    try:
        return _strings(json.loads(text))
    except (ValueError, RecursionError):
        return ()


def _strings(value: Any) -> Iterator[str]:
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            pending += one.values()
        elif isinstance(one, list):
            pending += one
        elif isinstance(one, str) and (word := _VALUE_OF_JSON.fullmatch(one)):
            yield word[1]
