"""Finds and reads the settings: pyproject.toml upward from a directory, then what the command line or the
editor says on top. Both hosts come through here, so the same words mean the same and fail with the same
messages."""

from __future__ import annotations

import keyword
import os
import re
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from mindport.config.problem import ConfigurationError, nearest
from mindport.config.settings import Settings
from mindport.config.toml import read_toml
from mindport.model.language import Language, later, say, translated

_PROJECT_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
_FIELDS = {field.encode_name: field for field in msgspec.structs.fields(Settings)}
_TYPE_WORDS = {
    "str": later("text"),
    "int": later("a whole number"),
    "float": later("a number"),
    "bool": later("true or false"),
    "array": later("a list"),
    "object": later("a table"),
    "null": later("nothing"),
}


_NO_CODE = later("{value!r} is not a rule code (expected 'ALL' or for example 'MP1' or 'MP101')")
_NO_MODULE = later("{value!r} is not the name of a module (expected for example 'torch_equivalents')")
_NO_MATCH = {  # of the pattern of a setting
    "helper-module": _NO_MODULE,
    "cache-dir": later(
        "{value!r} is no folder inside of the project (expected for example '.mindport_cache')"
    ),
}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class LoadedSettings(msgspec.Struct, frozen=True):
    """Settings and where they are from: `root` is the directory that patterns are relative to and the project
    begins at, `source` the file that was read, empty where none has a [tool.mindport] table. `given` are the fields
    that the user of the host gave, whom nothing in a project can speak for."""

    settings: Settings
    root: str
    source: str = ""
    given: frozenset[str] = frozenset()


def load_settings(
    directory: str | os.PathLike[str],
    overrides: Mapping[str, object] | None = None,
    overrides_from: str = "command line",
    config_file: str | os.PathLike[str] | None = None,
    language: Language | None = None,
) -> LoadedSettings:
    """The settings for the files of `directory`. `overrides` has the keys of the settings page (with
    hyphens), and a value replaces the one of the file. `config_file` is read instead of looking upward.
    `language` is the user's, as the host knows it: `locale: auto` becomes it. Raises ConfigurationError."""
    table: dict[str, Any] = {}
    source = ""
    root = project_root(directory)
    if config_file is not None:
        path = Path(config_file)
        table = _named_table(path)
        source = str(config_file)
        root = str(path.absolute().parent)
    else:
        found = _nearest_table(Path(directory).absolute())
        if found is not None:
            path, table = found
            source = str(path)
            root = str(path.parent)
    values = _checked(table, source, "tool.mindport.")
    given = _checked(overrides or {}, overrides_from, "")
    values.update(given)
    if language is not None and values.get("locale", "auto") == "auto":
        values["locale"] = language
    return LoadedSettings(Settings(**values), root, source, frozenset(given))


def project_root(directory: str | os.PathLike[str]) -> str:
    """The directory that a project begins at: the nearest upward with a project file or a repository, else
    itself."""
    start = Path(directory).absolute()
    return _marked_root(start) or str(start)


def _marked_root(directory: Path) -> str | None:
    for candidate in (directory, *directory.parents):
        if any((candidate / mark).exists() for mark in _PROJECT_MARKS):
            return str(candidate)
    return None


def _nearest_table(directory: Path) -> tuple[Path, dict[str, Any]] | None:
    for candidate in (directory, *directory.parents):
        path = candidate / "pyproject.toml"
        if path.is_file():
            table = _mindport_table(path)
            if table is not None:
                return path, table
    return None


def _named_table(path: Path) -> dict[str, Any]:
    """The settings of a file that the user named: [tool.mindport] of a pyproject.toml, or the top of any
    other."""
    if not path.is_file():
        raise ConfigurationError([say("{file}: no such file", file=path)])
    table = _mindport_table(path)
    if table is not None:
        return table
    return {} if path.name == "pyproject.toml" else read_toml(path)


def _mindport_table(path: Path) -> dict[str, Any] | None:
    tool = read_toml(path).get("tool", {})
    table = tool.get("mindport") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigurationError([say("{file}: tool.mindport: expected a table", file=path)])
    return table


def _checked(table: Mapping[str, object], source: str, prefix: str) -> dict[str, Any]:
    """The values by field name; raises for all that is wrong at once."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in table.items():
        where = f"{source}: {prefix}{key}"
        field = _FIELDS.get(key)
        if field is None:
            problems.append(say("{key}: unknown setting{nearest}", key=where, nearest=nearest(key, _FIELDS)))
            continue
        wrong = _problems(value, field.type, key)
        if wrong:
            problems += [f"{where}{place}: {message}" for place, message in wrong]
        else:
            values[field.name] = msgspec.convert(value, field.type)
    if problems:
        raise ConfigurationError(problems)
    return values


def _problems(value: object, wanted: Any, key: str) -> list[tuple[str, str]]:
    """What is wrong with one value: (place within it, message)."""
    plain = typing.get_args(wanted)[0] if typing.get_origin(wanted) is typing.Annotated else wanted
    arguments = typing.get_args(plain)
    origin = typing.get_origin(plain)
    if origin is typing.Literal:
        if value in arguments and isinstance(value, str):
            return []
        message = say(
            "unknown value {value!r}; expected one of {expected}{nearest}",
            value=value,
            expected=", ".join(repr(argument) for argument in arguments),
            nearest=nearest(str(value), arguments),
        )
        return [("", message)]
    if origin is tuple and isinstance(value, (list, tuple)):
        return [
            (f"[{index}]{place}", message)
            for index, item in enumerate(value)
            for place, message in _problems(item, arguments[0], key)
        ]
    if origin is dict and isinstance(value, Mapping):
        found: list[tuple[str, str]] = []
        for name, item in value.items():
            found += [("", message) for _, message in _problems(name, arguments[0], key)]
            found += [(f".{name}{place}", message) for place, message in _problems(item, arguments[1], key)]
        return found
    try:
        msgspec.convert(value, wanted)
    except msgspec.ValidationError as error:
        return [("", _in_plain_words(str(error), value, key))]
    if isinstance(value, str) and _CONTROL.search(value):  # no path can be meant, and no pattern
        return [("", say("{value!r} holds a control character", value=value))]
    if key == "helper-module" and keyword.iskeyword(str(value)):
        return [("", say(_NO_MODULE, value=value))]
    return []


def _in_plain_words(message: str, value: object, key: str) -> str:
    if key == "target-version":
        if not isinstance(value, str):
            return say('expected a version in quotes, such as "2.10", got {value!r}', value=value)
        return say("not a MindSpore version: {value!r} (expected for example '2.10')", value=value)
    types = re.match(r"Expected `(\w+)`, got `(\w+)`", message)
    if types is not None:
        wanted, got = (translated(_TYPE_WORDS.get(word, word)) for word in types.groups())
        return say("expected {wanted}, got {got}", wanted=wanted, got=got)
    if "Expected `float` > " in message:
        least = message.split("> ")[1]
        return say("expected a number above {least}, got {value!r}", least=least, value=value)
    if "regex" in message:
        return say(_NO_MATCH.get(key, _NO_CODE), value=value)
    return message[:1].lower() + message[1:]


class SettingsFinder:
    """The settings of every file of a run, each from the nearest pyproject.toml upward; every file is read
    once."""

    def __init__(
        self,
        overrides: Mapping[str, object] | None = None,
        overrides_from: str = "command line",
        config_file: str | os.PathLike[str] | None = None,
        language: Language | None = None,
    ) -> None:
        self._overrides = overrides
        self._language = language
        self._overrides_from = overrides_from
        self._config_file = config_file
        self._sources: dict[Path, Path | None] = {}
        self._loaded: dict[str, LoadedSettings] = {}

    def for_directory(
        self, directory: str | os.PathLike[str], below: LoadedSettings | None = None
    ) -> LoadedSettings:
        """The settings of the files in a directory. Where no file has any, those of `below` count, the directory that
        the user named; so what is named together stays one project. Raises ConfigurationError."""
        start = Path(directory).absolute()
        if self._config_file is not None:
            return self._from(start, "")
        source = self._source(start)
        if source is not None:
            return self._from(source.parent, str(source))
        return below or self._from(start, _marked_root(start) or "")

    def _from(self, directory: Path, key: str) -> LoadedSettings:
        if key not in self._loaded:
            self._loaded[key] = load_settings(
                directory, self._overrides, self._overrides_from, self._config_file, self._language
            )
        return self._loaded[key]

    def _source(self, directory: Path) -> Path | None:
        if directory in self._sources:  # before its parents are made: most files have neighbours
            return self._sources[directory]
        chain: list[Path] = []
        source: Path | None = None
        for candidate in (directory, *directory.parents):
            if candidate in self._sources:
                source = self._sources[candidate]
                break
            chain.append(candidate)
            path = candidate / "pyproject.toml"
            if path.is_file() and _mindport_table(path) is not None:
                source = path
                break
        self._sources.update(dict.fromkeys(chain, source))
        return source
