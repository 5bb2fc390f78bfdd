"""One run of a body: the names that it sees, the paths that leave it, and what it writes to attributes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple

from mindport.semantics.flow.heap import Heap
from mindport.semantics.flow.values import Ref

Path = tuple[Heap, Any]  # where a path is, and what it carries: what is returned or raised


class Unreachable(Exception):
    """No path goes on from here: all have returned, raised, or left the loop, and are kept where they went."""


class Exits:
    """The paths that left a body before its end."""

    __slots__ = ("breaks", "continues", "returns")

    def __init__(self) -> None:
        self.breaks: list[Path] = []
        self.continues: list[Path] = []
        self.returns: list[Path] = []

    def kinds(self) -> tuple[list[Path], list[Path], list[Path]]:
        """The lists of all kinds, always in the same order."""
        return self.breaks, self.continues, self.returns


class Frame:
    """A body that runs. `names` are its own; functions in it look further in `closure`, which for a class body is what
    is around the class. `when_yielded` gets what a generator yields and gives what `yield` is worth."""

    __slots__ = (
        "annotated", "closure", "exits", "function", "globals", "handling", "is_captured", "is_class", "module",
        "names", "owner", "path", "rebound", "when_yielded",
    )  # fmt: skip

    def __init__(self, path: str, names: Ref, module: Ref, closure: Ref | None = None) -> None:
        self.path = path
        self.names = names
        self.module = module  # the namespace of the file
        self.closure = names if closure is None else closure
        self.is_class = closure is not None
        self.owner: Ref | None = None  # the class of the method that runs, for super()
        self.function: Any = None  # the node of the function that runs
        self.globals: frozenset[str] = frozenset()
        self.rebound: frozenset[str] = frozenset()  # what `nonlocal` names
        self.annotated: list[tuple[str, Any, bool]] = []  # of a class body: name, annotation, has a value
        self.is_captured = False  # something that outlives the run looks further in its names
        self.exits = Exits()
        self.handling: list[Any] = []  # exceptions that are handled around here, innermost last
        self.when_yielded: Callable[[Any], Any] | None = None


class AttributeWrite(NamedTuple):
    """An attribute that gets the value of the expression `source`; `target` is where it stands, unless an operator
    changes it."""

    frame: Frame
    owner: Any
    name: str
    source: ast.expr
    target: ast.Attribute | None = None
