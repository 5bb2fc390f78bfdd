"""Parts of libraries built on torch that mindport has in plain torch, in `mappings/_libraries/`: what a project uses of
them comes along when it is ported, and is converted with it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator

from mindport.registry.location import mappings_folder
from mindport.source.trees import every_node

_WHERE = "WHERE"
_ONLY_WITH = "ONLY_WITH"


class LibraryParts:
    """The parts of one library, which lie in a file of torch code. That says in `WHERE` by which names they go, and in
    `ONLY_WITH` which are of use only to a project that uses another one."""

    def __init__(self, library: str, text: str) -> None:
        self.library = library
        self._lines = text.splitlines(keepends=True)
        self._statements = ast.parse(text).body
        self._where: dict[str, frozenset[str]] = {}
        self._defined: dict[str, ast.stmt] = {}
        for node in self._statements:
            for name in _bound(node):
                self._defined[name] = node
        self._only_with = self._table(_ONLY_WITH)
        for module, names in self._table(_WHERE).items():
            self._where[module] = frozenset(names.split())

    def _table(self, name: str) -> dict[str, str]:
        node = self._defined.pop(name, None)
        return ast.literal_eval(node.value) if isinstance(node, ast.Assign) else {}

    @property
    def module(self) -> str:
        """The name of the module that a port has them in."""
        return f"{self.library}_parts"

    def idle(self, texts: Iterable[str]) -> frozenset[str]:
        """The parts that are of no use to a project of these texts."""
        left = dict(self._only_with)
        for text in texts:
            left = {part: other for part, other in left.items() if other not in text}
        return frozenset(left)

    def part(self, dotted: str) -> str:
        """The part that a dotted name of the library means; empty where there is none."""
        module, _, name = dotted.rpartition(".")
        while module:
            if name in self._where.get(module, ()):
                return name
            module = module.rpartition(".")[0]
        return ""

    def source(self, names: Iterable[str]) -> str:
        """A module with these parts, what they stand on, and the imports that these need."""
        needed: set[ast.stmt] = set()
        self._need(names, needed)
        words = {one.id for node in needed for one in every_node(node) if isinstance(one, ast.Name)}
        heading = self._statements[0]
        text = self._text(heading)
        imports = [
            node
            for node in self._statements
            if isinstance(node, (ast.Import, ast.ImportFrom)) and words & set(_imported(node))
        ]
        text += "\n" + "".join(map(self._text, imports)) if imports else ""
        before: ast.stmt = heading
        for node in filter(needed.__contains__, self._statements):
            is_table = isinstance(node, ast.Assign) and isinstance(before, (ast.Assign, ast.Expr))
            gap = "\n\n" if not is_table else "" if isinstance(before, ast.Assign) else "\n"
            text += gap + self._text(node)
            before = node
        return text

    def _need(self, names: Iterable[str], needed: set[ast.stmt]) -> None:
        for name in names:
            node = self._defined.get(name)
            if node is not None and node not in needed:
                needed.add(node)
                self._need([one.id for one in every_node(node) if isinstance(one, ast.Name)], needed)

    def _text(self, node: ast.stmt) -> str:
        start = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        return "".join(self._lines[start - 1 : node.end_lineno])


@functools.cache
def parts_of(library: str) -> LibraryParts | None:
    """The parts of a library, by the root of its names; None for one that there are none of."""
    path = mappings_folder() / "_libraries" / f"{library}.py"
    if not library.isidentifier() or not path.is_file():
        return None
    return LibraryParts(library, path.read_text("utf-8"))


def part_of(dotted: str) -> str:
    """The part of whichever library that a dotted name means, and that is of use to any project; else empty."""
    parts = parts_of(dotted.partition(".")[0])
    part = parts.part(dotted) if parts is not None else ""
    return "" if parts is None or part in parts.idle(()) else part


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (one.id for one in node.targets if isinstance(one, ast.Name))


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
