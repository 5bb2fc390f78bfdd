"""Finds layers that overwrite their input, `nn.ReLU(inplace=True)`, where a network reads that input again:
`x + self.block(x)` of a block that begins with one adds what the layer made of x."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from mindport.source.trees import every_node
from mindport.usage.methods_of_classes import kept_by, methods_of_classes
from mindport.usage.scope_storage import ScopeStorage, StatementCall

# The classes of layers that can overwrite their input, and where their argument `inplace` stands.
OVERWRITING = {
    "AlphaDropout": 1,
    "CELU": 1,
    "Dropout": 1,
    "Dropout1d": 1,
    "Dropout2d": 1,
    "Dropout3d": 1,
    "ELU": 1,
    "FeatureAlphaDropout": 1,
    "Hardsigmoid": 0,
    "Hardswish": 0,
    "Hardtanh": 2,
    "LeakyReLU": 1,
    "Mish": 0,
    "ReLU": 0,
    "ReLU6": 0,
    "SELU": 0,
    "SiLU": 0,
    "Threshold": 2,
}
_FORWARD = ("forward", "__call__")

Function: TypeAlias = ast.FunctionDef


def reread_inputs(members: Iterable[tuple[str, Sequence[ast.stmt]]]) -> frozenset[ast.Call]:
    """The calls in one file that make such layers. `members` are the statements of the file, each with the class of
    the file that it stands in, if any."""
    classes = methods_of_classes(members)
    if not any(
        _overwrites(node) for methods in classes.values() for one in methods for node in every_node(one)
    ):
        return frozenset()
    return frozenset(_Blocks(classes).reread())


class _Blocks:
    """The classes of a file, and which layer what they hold begins with."""

    def __init__(self, classes: dict[str, list[Function]]) -> None:
        self._classes = classes
        self._held = {owner: list(kept_by(methods)) for owner, methods in classes.items()}
        self._known: dict[tuple[str | Function, str], frozenset[ast.Call]] = {}
        self._scopes: dict[Function, ScopeStorage] = {}

    def reread(self) -> Iterator[ast.Call]:
        for owner, methods in self._classes.items():
            for method in methods:
                yield from self._of_method(owner, method, _is_reread)

    def _of_method(
        self, owner: str, method: Function, counts: Callable[[ScopeStorage, StatementCall, ast.Name], bool]
    ) -> Iterator[ast.Call]:
        """The layers that the calls `self.block(x)` of a method, as far as they count, begin with."""
        if method not in self._scopes:
            self._scopes[method] = ScopeStorage([(0, one) for one in method.body], method)
        scope = self._scopes[method]
        for call in scope.calls:
            match call.node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=[ast.Name() as given, *_]
                ):
                    first = self._begins_own(owner, name)
                    if first and counts(scope, call, given):
                        yield from first

    def _begins_own(self, owner: str, name: str) -> frozenset[ast.Call]:
        """Those that what an object holds under a name may begin with."""
        held = [(value, method) for found, value, method in self._held.get(owner, ()) if found == name]
        return self._once((owner, name), (self._begins(value, owner, method) for value, method in held))

    def _begins_call(self, made: str) -> frozenset[ast.Call]:
        """Those that a call of an object of a class may begin with."""
        forward = [one for one in self._classes[made] if one.name in _FORWARD]
        return self._once((made, "()"), (self._of_method(made, one, _is_given) for one in forward))

    def _begins_local(self, owner: str, method: Function, name: str) -> frozenset[ast.Call]:
        """Those that what a name of a method stands for may begin with."""
        values = _values(method, name)
        return self._once((method, name), (self._begins(value, owner, method) for value in values))

    def _once(
        self, key: tuple[str | Function, str], found: Iterable[Iterable[ast.Call]]
    ) -> frozenset[ast.Call]:
        """The answer for a key, looked for once: a tree holds trees, and what comes back to itself adds nothing."""
        if key not in self._known:
            self._known[key] = frozenset()
            self._known[key] = frozenset(one for part in found for one in part)
        return self._known[key]

    def _begins(self, node: ast.expr, owner: str, method: Function) -> Iterator[ast.Call]:
        """The layers that overwrite their input among those that what `node` gives may begin with."""
        match node:
            case ast.Call() if _overwrites(node):
                yield node
            case ast.Call(func=ast.Name(id=made)) if made in self._classes:
                yield from self._begins_call(made)
            case ast.Call(
                func=ast.Name(id="Sequential") | ast.Attribute(attr="Sequential"), args=[first, *_]
            ):
                yield from self._begins(first, owner, method)
            case ast.Call(func=ast.Name(id="OrderedDict") | ast.Attribute(attr="OrderedDict"), args=[pairs]):
                match pairs:
                    case ast.List(elts=[ast.Tuple(elts=[_, first]), *_]):
                        yield from self._begins(first, owner, method)
            case ast.Starred(value=first) | ast.BinOp(left=first, op=ast.Add()):
                yield from self._begins(first, owner, method)
            case ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]):
                yield from self._begins(first, owner, method)
            case ast.IfExp(body=one, orelse=other):
                yield from self._begins(one, owner, method)
                yield from self._begins(other, owner, method)
            case ast.Name(id=name):
                yield from self._begins_local(owner, method, name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                yield from self._begins_own(owner, name)


def _overwrites(node: ast.AST) -> bool:
    """Whether it makes a layer that is told to overwrite its input."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    place = OVERWRITING.get(name)
    if place is None:
        return False
    flags = [one.value for one in node.keywords if one.arg == "inplace"] or node.args[place : place + 1]
    return any(isinstance(flag, ast.Constant) and flag.value is True for flag in flags)


def _values(method: Function, name: str) -> Iterator[ast.expr]:
    """What a name of a method begins with: the values that it gets, and for an empty list what comes into it first."""
    grows = False
    for node in sorted(_statements(method), key=_start):
        match node:
            case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                grows = isinstance(value, ast.List) and not value.elts
                yield value
            case ast.AugAssign(target=ast.Name(id=found), op=ast.Add(), value=value) if (
                found == name and grows
            ):
                grows = False
                yield value
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(id=found), "append"), [value])) if (
                found == name and grows
            ):
                grows = False
                yield value


def _statements(method: Function) -> Iterator[ast.stmt]:
    return (node for node in every_node(method) if isinstance(node, ast.stmt))


def _start(node: ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _is_given(scope: ScopeStorage, call: StatementCall, given: ast.Name) -> bool:
    """Whether a name still is what the method was given where the call stands."""
    return scope.is_parameter(given.id, call)


def _is_reread(scope: ScopeStorage, call: StatementCall, given: ast.Name) -> bool:
    """Whether the tensor that a call gets is read again when the call has overwritten it."""
    return scope.is_read_again(given, call, lambda parameter: False)
