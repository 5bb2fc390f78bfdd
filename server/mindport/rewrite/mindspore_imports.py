"""The imports of MindSpore in a converted text: what they come to import when its names are written otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from typing import TypeGuard

import msgspec

from mindport.model.span import Edit, Span
from mindport.rewrite.imports import used_names
from mindport.rewrite.spans import span_of
from mindport.source.lines import LineIndex

_ROOTS = ("mindspore", "tensorboardX")  # which new text names in full
_WIDTH = 100  # of an import in one line


class ImportedAs(msgspec.Struct, frozen=True, order=True):
    """A name of MindSpore (`module` and `name`), and what the file calls it."""

    module: str
    name: str
    local: str

    @property
    def alias(self) -> str:
        """What an import of it says behind `import`."""
        return self.name if self.name == self.local else f"{self.name} as {self.local}"


def whole_imports(tree: ast.Module) -> list[ast.Import]:
    """The statements that import MindSpore, or what else new text names in full."""
    found = {node.names[0].name: node for node in reversed(tree.body) if _is_whole(node)}
    return [found[root] for root in _ROOTS if root in found]


def _is_whole(node: ast.stmt) -> TypeGuard[ast.Import]:
    return isinstance(node, ast.Import) and ast.unparse(node).removeprefix("import ") in _ROOTS


def mindspore_imports(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    """The first statement that imports names of MindSpore, and those of `whole_imports`."""
    names = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "mindspore"]
    return [*names[:1], *whole_imports(tree)]


def import_edits(
    tree: ast.Module, shorts: Set[ImportedAs], used: Set[str], lines: LineIndex
) -> Iterator[Edit]:
    """What lets the file import the names `shorts`, and no longer what is not among the names `used` now, but was
    before."""
    used_before = used_names(tree)
    statements = mindspore_imports(tree)
    added = [short.alias for short in shorts if short.module == "mindspore"]
    others: dict[str, list[str]] = {}
    for short in shorts:
        if short.module != "mindspore":
            others.setdefault(short.module, []).append(short.alias)
    below = [_written(module, names) for module, names in sorted(others.items())]
    for node in reversed(statements):
        place = span_of(node, lines)
        is_first = node is statements[0]
        if isinstance(node, ast.ImportFrom):
            kept = [
                ast.unparse(one)
                for one in node.names
                if (one.asname or one.name) in used or (one.asname or one.name) not in used_before
            ]
            new = [_written("mindspore", [*kept, *added])] if kept or added else []
        else:
            root = node.names[0].name
            new = [f"import {root}"] if root in used or root not in used_before else []
            new += [_written("mindspore", added)] if is_first and added else []
        new += below if is_first else []
        if new:
            yield Edit(place, "\n".join(new))
        else:
            yield Edit(Span(place.line, 0, place.line + 1, 0), "")


def _written(module: str, names: list[str]) -> str:
    """The statement that imports some names, over several lines where one would be long."""
    ordered = sorted(names)
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([f"from {module} import (", *(f"    {name}," for name in ordered), ")"])
