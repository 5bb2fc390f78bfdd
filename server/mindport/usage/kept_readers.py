"""The functions of a project that put together what other functions of it computed and kept in a list:
`for p, v in zip(self.log_probs, self.values)`, where `forward` appends to both. A loss that such a function gives hangs
on the calls that filled the list. Told by their names alone, as `value_keepers` tells those that keep."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from mindport.source.trees import children, every_node
from mindport.source.written_names import last_name
from mindport.usage.files import FileState
from mindport.usage.function_names import FunctionNames
from mindport.usage.value_keepers import COMMON, FUNCTIONS, in_order, root_of

_ADDING = frozenset(("add", "append", "appendleft", "extend", "extendleft", "insert"))
_WITHOUT_GRAPH = frozenset(("item", "detach", "numpy", "size", "tolist"))
_PLAIN = frozenset(("shape", "device", "dtype", "data"))


class Reading(msgspec.Struct, frozen=True):
    """A function: the attributes that it adds computed values to, those that it goes through without filling them
    itself, and the methods of its own object that it calls."""

    name: str
    fills: frozenset[str]
    reads: frozenset[str]
    calls: frozenset[str]


def kept_readers(texts: Mapping[str, str], state: Callable[[str], FileState]) -> FunctionNames[Reading]:
    """The names of these functions of a project."""
    return FunctionNames(texts, state, _has_sign, lambda trees: frozenset(_functions(trees)), _readers)


def _has_sign(text: str) -> bool:
    return "def " in text


def _readers(facts: frozenset[Reading]) -> frozenset[str]:
    filled = frozenset[str]().union(*(fact.fills for fact in facts))
    found = {fact.name for fact in facts if fact.reads & filled}
    grows = bool(found)
    while grows:
        more = {fact.name for fact in facts if fact.calls & found} - found
        found |= more
        grows = bool(more)
    return frozenset(found) - COMMON - {"forward"}


def _functions(trees: Iterable[ast.AST]) -> Iterator[Reading]:
    for tree in trees:
        for node in every_node(tree):
            if isinstance(node, FUNCTIONS):
                fact = _Function(node).fact()
                if fact.fills or fact.reads or fact.calls:
                    yield fact


class _Function:
    """One function, read in the order of its text: `_computed` are the names of what parts of its object gave."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._node = node
        every = [*node.args.posonlyargs, *node.args.args]
        self._own = every[0].arg if every and every[0].arg in ("self", "cls") else ""
        self._computed: set[str] = set()
        self._fills: set[str] = set()
        self._begun: set[str] = set()  # attributes that it gives another value first
        self._reads: set[str] = set()
        self._calls: set[str] = set()

    def fact(self) -> Reading:
        """What the function does with lists in attributes."""
        for statement in self._node.body:
            for node in in_order(statement):
                self._see(node)
        reads = self._reads - self._fills
        return Reading(self._node.name, frozenset(self._fills), frozenset(reads), frozenset(self._calls))

    def _see(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._bind(target, value)
            case ast.AugAssign(target=ast.Attribute(attr=name), value=ast.List() as value):
                if self._is_computed(value):
                    self._fills.add(name)
            case ast.For(target=target, iter=items):
                self._read(items)
                self._bind(target, items)
            case ast.comprehension(iter=items):
                self._read(items)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr=method), args=given) if (
                method in _ADDING and any(map(self._is_computed, given))
            ):
                self._fills.add(name)
            case ast.Call(func=called, args=[first, *_]) if last_name(called) in ("sum", "stack", "cat"):
                self._read(first)
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=method)) if owner == self._own:
                self._calls.add(method)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        is_computed = self._is_computed(value)
        for node in every_node(target):
            match node:
                case ast.Name(id=name, ctx=ast.Store()) if is_computed:
                    self._computed.add(name)
                case ast.Attribute(attr=name, ctx=ast.Store()):
                    self._begun.add(name)

    def _read(self, items: ast.expr) -> None:
        """Take notice of the attributes that are gone through: `a` and `b` in `zip(x.a, reversed(x.b))`."""
        match items:
            case ast.Call(func=ast.Name(), args=arguments):
                for argument in arguments:
                    self._read(argument)
            case ast.Subscript(value=value):
                self._read(value)
            case ast.Attribute(attr=name) if name not in self._begun:
                self._reads.add(name)

    def _is_computed(self, node: ast.expr) -> bool:
        match node:
            case ast.Call(func=ast.Attribute(attr=name)) if name in _WITHOUT_GRAPH:
                return False
            case ast.Attribute(attr=name) if name in _PLAIN:
                return False
            case ast.Name(id=name):
                return name in self._computed
            case ast.Call(func=ast.Attribute() as called) if self._own and root_of(called) == self._own:
                return True
            case ast.Lambda():
                return False
        return any(self._is_computed(child) for child in children(node) if isinstance(child, ast.expr))
