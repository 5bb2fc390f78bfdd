"""The texts that scripts/new_mapping.py leaves to the author. A file that still has one judges nothing."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from mindport.mapping.problem import MappingProblem
from mindport.mapping.schema import Mapping

PLACEHOLDER = "DRAFT:"


def draft_problems(mapping: Mapping, file: str) -> tuple[MappingProblem, ...]:
    """One problem for each text that is still to be written."""
    return tuple(
        MappingProblem(file, path, f"still to be written: {text.removeprefix(PLACEHOLDER).strip()}")
        for path, text in _placeholders(msgspec.to_builtins(mapping), "")
    )


def is_draft(mapping: Mapping) -> bool:
    """Whether some text is still to be written."""
    return next(_placeholders(msgspec.to_builtins(mapping), ""), None) is not None


def _placeholders(node: object, path: str) -> Iterator[tuple[str, str]]:
    """The key path and text of every placeholder."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _placeholders(value, f"{path}.{key}" if path else key)
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from _placeholders(value, f"{path}[{number}]")
    elif isinstance(node, str) and node.startswith(PLACEHOLDER):
        yield path, node
