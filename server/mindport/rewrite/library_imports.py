"""Leads what a file uses of a library built on torch to the module of the port that has these parts of it
(`registry.library_parts`), in torch still: the module is converted with the file."""

from __future__ import annotations

import ast
import builtins
import functools
import re
from collections.abc import Iterator

from mindport.registry.library_parts import LibraryParts
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node

_MODULE = re.compile(r"from\s+([\w.]+)\s+import\b")
_VERSION = "__version__"
_EVERYTHING = "*"
_OF_PYTHON = frozenset((*dir(builtins), "__file__"))


class LibraryImports:
    """What a text imports of the library that `parts` are of, but for the `idle` ones."""

    def __init__(self, text: str, parts: LibraryParts, idle: frozenset[str] = frozenset()) -> None:
        self._parts = parts
        self._idle = idle
        self._lines = LineIndex(text)
        self._from: list[ast.ImportFrom] = []
        self._whole: list[ast.Import] = []
        self._chains: list[tuple[ast.Attribute, str]] = []
        self._asserted: list[ast.Assert] = []
        if parts.library not in text:
            return
        try:
            self._tree = parse_tree(text)
        except SYNTAX_ERRORS:
            return
        self._collect()

    @property
    def is_led(self) -> bool:
        """Whether anything in the file is to change."""
        return bool(self._from or self._whole)

    def leads(self, dotted: str) -> bool:
        """Whether the import of a dotted name leads to the parts then."""
        if self._part(dotted):
            return True
        if any(node.module == dotted and not self._left(node) for node in self._stars()):
            return True
        return any(alias.name == dotted for node in self._whole for alias in node.names)

    @property
    def names(self) -> frozenset[str]:
        """The parts that it uses."""
        found = {
            self._part(f"{node.module}.{alias.name}") for node in self._from for alias in self._own(node)
        }
        return frozenset((found | {self._part(dotted) for _, dotted in self._chains}) - {""})

    def edits(self, package: str) -> Iterator[TextEdit]:
        """What leads to the module of the parts, which the file imports from `package`: `.`, `models`, or nothing."""
        for node in self._from:
            yield self._of_import(node, package)
        idle = [*self._whole, *self._asserted]
        if self._chains:
            new = f"from {package} import {self._parts.module}" if package else f"import {self._parts.module}"
            yield TextEdit(*self._span(idle.pop(0)), new)
        for statement in idle:
            yield self._removed(statement)
        for chain, dotted in self._chains:
            yield TextEdit(*self._span(chain), f"{self._parts.module}.{self._part(dotted)}")

    def _collect(self) -> None:
        locals_: dict[str, str] = {}  # name in the file -> module of the library
        for node in every_node(self._tree):
            match node:
                case ast.ImportFrom(level=0, module=str(module)) if self._is_own(module):
                    if self._own(node) or _is_star(node):
                        self._from.append(node)
                case ast.Import(names=[ast.alias(name=module, asname=local)]) if self._is_own(module):
                    self._whole.append(node)
                    locals_[local or self._parts.library] = module if local else self._parts.library
        if not any(map(self._own, self._from)):
            self._from = []  # it only hands everything on, or has no use for a part
        if self._whole and not self._uses_parts_alone(locals_):
            self._whole, self._chains, self._asserted = [], [], []

    def _own(self, node: ast.ImportFrom) -> list[ast.alias]:
        """What an import takes of the parts. Of everything, what the file reads and does not make itself."""
        names = [ast.alias(name) for name in sorted(self._unbound)] if _is_star(node) else node.names
        return [alias for alias in names if self._part(f"{node.module}.{alias.name}")]

    def _left(self, node: ast.ImportFrom) -> list[ast.alias]:
        """What else an import takes. What nothing accounts for is of the last of those that import everything."""
        if not _is_star(node):
            own = self._own(node)
            return [alias for alias in node.names if alias not in own]
        stars = self._stars()
        others = [one for one in every_node(self._tree) if isinstance(one, ast.ImportFrom) and _is_star(one)]
        if node is not stars[-1] or len(others) > len(stars):
            return []
        found = {alias.name for star in stars for alias in self._own(star)}
        return [ast.alias(name) for name in sorted(self._unbound - found)]

    def _stars(self) -> list[ast.ImportFrom]:
        return [node for node in self._from if _is_star(node)]

    @functools.cached_property
    def _unbound(self) -> frozenset[str]:
        """The names that the file reads, and neither it nor Python makes."""
        read, bound = set[str](), set[str]()
        for node in every_node(self._tree):
            match node:
                case ast.Name(id=name, ctx=ast.Load()):
                    read.add(name)
                case ast.Name(id=name) | ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                    bound.add(name)
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    bound.add(name)
                case ast.alias(name=name, asname=local):
                    bound.add(local or name.partition(".")[0])
        return frozenset(read - bound - _OF_PYTHON)

    def _part(self, dotted: str) -> str:
        part = self._parts.part(dotted)
        return "" if part in self._idle else part

    def _is_own(self, module: str) -> bool:
        return module.partition(".")[0] == self._parts.library

    def _uses_parts_alone(self, locals_: dict[str, str]) -> bool:
        """Whether all that the file does with the modules it imports, if anything, is to use parts, and to ask for the
        version of the library, which the parts have none of."""
        met: set[ast.Name] = set()
        for node in every_node(self._tree):
            if isinstance(node, ast.Assert):
                versions = [one for one in every_node(node.test) if isinstance(one, ast.Attribute)]
                roots = [
                    one.value for one in versions if one.attr == _VERSION and isinstance(one.value, ast.Name)
                ]
                if roots and roots[0].id in locals_:
                    self._asserted.append(node)
                    met.update(roots)
            elif isinstance(node, ast.Attribute):
                root, way = _chain(node)
                if root is not None and root.id in locals_:
                    dotted = ".".join((locals_[root.id], *way))
                    if self._part(dotted):
                        self._chains.append((node, dotted))
                        met.add(root)
        used = {one for one in every_node(self._tree) if isinstance(one, ast.Name) and one.id in locals_}
        return used == met

    def _of_import(self, node: ast.ImportFrom, package: str) -> TextEdit:
        is_whole = not package or package.endswith(".")
        module = f"{package}{self._parts.module}" if is_whole else f"{package}.{self._parts.module}"
        start, end = self._span(node)
        own, left = self._own(node), self._left(node)
        moved = ast.unparse(ast.ImportFrom(module, own, 0))
        if left:
            kept = ast.unparse(ast.ImportFrom(node.module, left, 0))
            if not own:
                return TextEdit(start, end, kept)
            margin = self._lines.text[self._lines.line_start(node.lineno) : start]
            newline = "\r\n" if "\r\n" in self._lines.text else "\n"
            gap = f"{newline}{margin}" if not margin.strip() else "; "
            return TextEdit(start, end, f"{kept}{gap}{moved}")
        if _is_star(node):
            return TextEdit(start, end, moved) if own else self._removed(node)
        found = _MODULE.match(self._lines.text, start)
        assert found is not None
        return TextEdit(*found.span(1), module)

    def _removed(self, node: ast.stmt) -> TextEdit:
        """A statement taken out with its line; what is inside of another one leaves `pass`."""
        start, end = self._span(node)
        line, text = self._lines.line_start(node.lineno), self._lines.text
        stop = text.find("\n", end) + 1 or len(text)
        is_alone = line == start and not re.sub(r"#.*", "", text[end:stop]).strip()
        return TextEdit(line, stop, "") if is_alone else TextEdit(start, end, "pass")

    def _span(self, node: ast.stmt | ast.expr) -> tuple[int, int]:
        first, last = node.lineno, node.end_lineno or node.lineno
        return (
            self._lines.line_start(first) + self._lines.column_of_byte(first, node.col_offset),
            self._lines.line_start(last) + self._lines.column_of_byte(last, node.end_col_offset or 0),
        )


def _is_star(node: ast.ImportFrom) -> bool:
    return node.names[0].name == _EVERYTHING


def _chain(node: ast.Attribute) -> tuple[ast.Name | None, list[str]]:
    """The name that a chain of attributes begins with, and the attributes."""
    way = [node.attr]
    value = node.value
    while isinstance(value, ast.Attribute):
        way.insert(0, value.attr)
        value = value.value
    return (value if isinstance(value, ast.Name) else None), way
