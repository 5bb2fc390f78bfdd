"""The layers that code finds by going through all names of a module, `[v for k, v in nn.__dict__.items() if "Norm" in
k]`: whichever of them the project writes as strings, it may have any."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Sequence

from mindport.registry.torch import TorchKind, torch_facts
from mindport.source.trees import every_node

_VIEWS = frozenset({"items", "keys"})


def listed_layers(statements: Sequence[ast.stmt], module: str) -> dict[ast.Attribute, tuple[str, ...]]:
    """The places `nn.__dict__` that a loop goes through, each with the layers of a module of torch that pass what the
    loop asks of their names."""
    found = {}
    for node in (node for one in statements for node in every_node(one)):
        for target, over, tests in _loops(node):
            listing = _listing(over)
            if listing is not None:
                found[listing] = tuple(
                    layer
                    for layer in _layers_of(module)
                    if all(_passes(test, _name_in(target), layer) is not False for test in tests)
                )
    return found


def _loops(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, list[ast.expr]]]:
    match node:
        case ast.comprehension(target=target, iter=over, ifs=tests):
            yield target, over, tests
        case ast.For(target=target, iter=over, body=[ast.If(test=test, orelse=[])]):
            yield target, over, [test]
        case ast.For(target=target, iter=over):
            yield target, over, []


def _listing(over: ast.expr) -> ast.Attribute | None:
    match over:
        case ast.Attribute(attr="__dict__"):
            return over
        case ast.Call(func=ast.Attribute(value=value, attr=view), args=[]) if view in _VIEWS:
            return _listing(value)
        case ast.Call(func=ast.Name(id="sorted" | "list" | "tuple" | "set"), args=[value, *_]):
            return _listing(value)
    return None


def _name_in(target: ast.expr) -> str:
    """The variable of a loop that has the name of what is listed."""
    match target:
        case ast.Name(id=name) | ast.Tuple(elts=[ast.Name(id=name), _]):
            return name
    return ""


def _passes(test: ast.expr, variable: str, name: str) -> bool | None:
    """Whether a name passes a test; None where more is asked than how it is spelled."""
    match test:
        case ast.BoolOp(op=op, values=values):
            answers = [_passes(value, variable, name) for value in values]
            decides = isinstance(op, ast.Or)  # one true answer, where one false one decides of `and`
            return decides if decides in answers else None if None in answers else not decides
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            answer = _passes(operand, variable, name)
            return None if answer is None else not answer
        case ast.Compare(
            left=ast.Constant(value=str(part)), ops=[ast.In() | ast.NotIn() as op], comparators=[asked]
        ):
            spelled = _spelled(asked, variable, name)
            return None if spelled is None else (part in spelled) is isinstance(op, ast.In)
        case ast.Call(
            func=ast.Attribute(value=asked, attr="startswith" | "endswith" | "islower" | "isupper" as method),
            args=[] | [ast.Constant(value=str())] as arguments,
        ):
            spelled = _spelled(asked, variable, name)
            given = [one.value for one in arguments if isinstance(one, ast.Constant)]
            return None if spelled is None else bool(getattr(spelled, method)(*given))
    return None


def _spelled(asked: ast.expr, variable: str, name: str) -> str | None:
    """The name, or the name in small letters, that is asked."""
    match asked:
        case ast.Name(id=one) if one == variable:
            return name
        case ast.Call(func=ast.Attribute(value=inner, attr="lower"), args=[]):
            spelled = _spelled(inner, variable, name)
            return None if spelled is None else spelled.lower()
    return None


@functools.cache
def _layers_of(module: str) -> tuple[str, ...]:
    facts, start = torch_facts(), f"{module}."
    names = (name.removeprefix(start) for name in facts.names() if name.startswith(start))
    return tuple(
        sorted(
            name
            for name in names
            if name.isidentifier() and facts.kind(start + name) is TorchKind.MODULE_CLASS
        )
    )
