"""The functions of a project that keep a value where later code finds it: what they are given (`self.memory = memory`,
`cache["h"] = h`) or what a part of their object computed (`self.fake = self.generator(self.noise)`). A loss that is
computed later may hang on such a value. Told by their names alone."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from mindport.source.trees import children, every_node
from mindport.usage.files import FileState
from mindport.usage.function_names import FunctionNames

COLLECTING = frozenset(
    {
        "add", "append", "appendleft", "extend", "extendleft", "insert", "push", "put", "setdefault", "update",
        "__setattr__", "__setitem__",
    }
)  # fmt: skip
"""Methods that put a value into what they are called on."""
# A constructor is called for a new object; the others are told by what they are called on, or keep nothing that a loss
# is made of.
COMMON = frozenset(
    {
        "__call__", "__init__", "__setattr__", "__setitem__", "backward", "cpu", "cuda", "eval", "load_state_dict",
        "log", "parameters", "print", "save", "state_dict", "step", "to", "train", "zero_grad",
    }
)  # fmt: skip
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef)


class Keeping(msgspec.Struct, frozen=True):
    """A function, whether it keeps a value itself, and the names of functions that it hands a value on to."""

    name: str
    keeps: bool
    hands_on: frozenset[str]


def value_keepers(texts: Mapping[str, str], state: Callable[[str], FileState]) -> FunctionNames[Keeping]:
    """The names of these functions of a project."""
    return FunctionNames(texts, state, _has_sign, lambda trees: frozenset(_functions(trees)), _keepers)


def _has_sign(text: str) -> bool:
    return "def " in text


def _keepers(facts: frozenset[Keeping]) -> frozenset[str]:
    found = {fact.name for fact in facts if fact.keeps}
    grows = True
    while grows:
        more = {fact.name for fact in facts if fact.hands_on & found} - found
        found |= more
        grows = bool(more)
    return frozenset(found) - COMMON


def _functions(trees: Iterable[ast.AST]) -> Iterator[Keeping]:
    for tree in trees:
        for node in every_node(tree):
            if isinstance(node, FUNCTIONS):
                fact = _Function(node).fact()
                if fact.keeps or fact.hands_on:
                    yield fact


class _Function:
    """One function, read in the order of its text: `_values` are the names that hold what may have a gradient."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._node = node
        every = [*node.args.posonlyargs, *node.args.args]
        self._own = every[0].arg if every and every[0].arg in ("self", "cls") else ""
        extra = [one for one in (node.args.vararg, node.args.kwarg) if one is not None]
        self._arguments = {one.arg for one in (*every, *node.args.kwonlyargs, *extra)} - {self._own}
        self._values = set(self._arguments)
        self._local: set[str] = set()
        self._keeps = False
        self._hands_on: set[str] = set()

    def fact(self) -> Keeping:
        """What the function does with values."""
        for statement in self._node.body:
            for node in in_order(statement):
                self._see(node)
        return Keeping(self._node.name, self._keeps, frozenset(self._hands_on))

    def _see(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value)
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.AugAssign(target=target, value=value)
            ):
                self._bind(target, value)
            case ast.For(target=target, iter=value):
                self._bind(target, value)
            case ast.Call(func=ast.Attribute(value=holder, attr=method), args=arguments, keywords=keywords):
                given = [*arguments, *(one.value for one in keywords)]
                if any(map(self._is_value, given)):
                    self._hands_on.add(method)
                    is_in_place = method.endswith("_") and not method.endswith("__")
                    if (method in COLLECTING or is_in_place) and self._outlives(holder):
                        self._keeps = True
            case ast.Call(func=ast.Name(id=name), args=[holder, *given]):
                if any(map(self._is_value, (holder, *given))):
                    self._hands_on.add(name)
                if name == "setattr" and any(map(self._is_value, given)) and self._outlives(holder):
                    self._keeps = True

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        is_value = self._is_value(value)
        for node in every_node(target):
            match node:
                case ast.Name(id=name, ctx=ast.Store()):
                    self._local.add(name)
                    if is_value:
                        self._values.add(name)
                case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
                    self._keeps |= is_value and self._outlives(node)

    def _is_value(self, node: ast.expr) -> bool:
        """Whether an expression is made of an argument, or of what a part of the object computes."""
        match node:
            case ast.Call(func=ast.Attribute(attr="item" | "detach" | "numpy" | "size" | "tolist")):
                return False
            case ast.Attribute(attr="shape" | "device" | "dtype" | "data"):
                return False
            case ast.Name(id=name):
                return name in self._values
            case ast.Call(func=ast.Attribute() as called) if root_of(called) == self._own and self._own:
                return True
            case ast.Lambda():
                return False
        return any(self._is_value(child) for child in children(node) if isinstance(child, ast.expr))

    def _outlives(self, holder: ast.expr) -> bool:
        """Whether what is written to is there when the function has ended."""
        root = root_of(holder)
        is_local = root in self._local and root not in self._arguments
        return bool(root) and not is_local


def root_of(node: ast.expr) -> str:
    """The name that a chain of attributes and indexes begins with; empty for any other expression."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is in it, in the order of the text, without functions and classes in it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if not isinstance(one, _SCOPES):
            yield one
            waiting += reversed(children(one))
