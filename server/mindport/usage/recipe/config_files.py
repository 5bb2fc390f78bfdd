"""Reads YAML and JSON as trees, to look for settings in them. Such files may be anything: what is larger or deeper than
people write is left out, as is all that lies beyond what can be read in reasonable time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

_MOST_CHARACTERS = 64 * 1024  # of a file; larger ones hold data
_MOST_OF_ALL = 1_000_000  # of the YAML of a project, for which the loader takes twenty seconds
_DEEPEST = 20
_BRACKET = re.compile(r"[\[\]{}]")
# Levels of YAML that begin on one line: `- - - x`.
_LEVELS_OF_A_LINE = re.compile(rf"(?m)^[ ]*(?:[-?:][ ]+){{{_DEEPEST}}}")


def settings_trees(texts: Mapping[str, str]) -> Iterator[tuple[str, str, object]]:
    """Path, text and tree of each file that can be read, in the order of the paths."""
    left = _MOST_OF_ALL
    for path, text in sorted(texts.items()):
        if len(text) > _MOST_CHARACTERS or is_deep(text):
            continue
        if path.endswith(".json"):
            read = _read_json
        else:
            read = _read_yaml
            left -= len(text)
            if left < 0:
                continue
        tree = read(text)
        if tree is not None:
            yield path, text, tree


def _read_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _read_yaml(text: str) -> object:
    try:
        # The loader that keeps places; what is no YAML has no settings.
        return YAML(typ="rt").load(text)
    except (YAMLError, ValueError, RecursionError, AttributeError, TypeError):
        return None


def is_deep(text: str) -> bool:
    """Whether brackets lie deeper in each other than in settings, as far as that can be told without reading them, or
    lists and mappings that are told apart by where they begin."""
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket[0] in "[{" else -(depth > 0)
        if depth > _DEEPEST:
            return True
    return _LEVELS_OF_A_LINE.search(text) is not None
