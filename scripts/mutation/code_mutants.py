"""Mutants of Python text: one constant, comparison, operator, default, keyword, condition or statement is another.

What only refuses (a `raise`, and the test that leads to nothing else) stays as it is: samples are calls that torch
takes, and say nothing of calls that it does not."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


class CodeMutant(NamedTuple):
    """Code with one change of a `kind`, which `change` tells of: the `number`-th of those that its nodes offer."""

    kind: str
    change: str
    source: str
    number: int

    def text(self) -> str:
        """The whole code, changed."""
        tree = ast.parse(self.source)
        node, change = next(itertools.islice(_places(tree), self.number, None))
        change.make(node)
        return ast.unparse(tree)


class _Change(NamedTuple):
    kind: str
    shown: str
    make: Callable[[ast.AST], None]  # changes the node
    line: int = 0  # where it is, if not at the start of the node


def code_mutants(source: str) -> Iterator[CodeMutant]:
    """All mutants of a definition or an expression, in the order of its nodes. Raises SyntaxError."""
    for number, (node, change) in enumerate(_places(ast.parse(source))):
        line = change.line or getattr(node, "lineno", 1)
        yield CodeMutant(change.kind, f"line {line}: {change.shown}", source, number)


def _places(tree: ast.AST) -> Iterator[tuple[ast.AST, _Change]]:
    left_alone = {id(inner) for node in _left_alone(tree) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) not in left_alone:
            for change in _changes(node):
                yield node, change


def _left_alone(tree: ast.AST) -> Iterator[ast.AST]:
    """Parts that have no say in what a run gives: texts for readers, types, and refusals with their tests."""
    for node in ast.walk(tree):
        match node:
            case ast.Raise() | ast.Expr(value=ast.Constant(value=str())):
                yield node
            case ast.If() if _refuses(node):
                yield node.test
            case ast.arg(annotation=ast.AST() as annotation):
                yield annotation
            case ast.FunctionDef(returns=returns, decorator_list=decorators):
                yield from [*decorators, *([] if returns is None else [returns])]


def _refuses(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise)


def _changes(node: ast.AST) -> Iterator[_Change]:
    match node:
        case ast.Constant(value=value) if type(value) in (bool, int, float):
            other = _another(value)
            yield _Change("constant", f"{value!r} -> {other!r}", lambda n: setattr(n, "value", other))
        case ast.arguments():
            yield from _other_defaults(node)
        case ast.Compare(ops=operators):
            for place, operator in enumerate(operators):
                new = _COMPARISONS[type(operator)]
                shown = f"{type(operator).__name__} -> {new.__name__} in {_short(node)}"
                yield _Change("comparison", shown, _put_operator(place, new))
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in _OPERATORS:
            kind = _OPERATORS[type(operator)]
            shown = f"{type(operator).__name__} -> {kind.__name__} in {_short(node)}"
            yield _Change("operator", shown, lambda n: setattr(n, "op", kind()))
        case ast.BoolOp(op=joined):
            joiner = ast.Or if isinstance(joined, ast.And) else ast.And
            yield _Change("operator", f"and <-> or in {_short(node)}", lambda n: setattr(n, "op", joiner()))
        case ast.Call(keywords=keywords):
            for place, keyword in enumerate(keywords):
                if keyword.arg is not None:
                    shown = f"{keyword.arg}= dropped from {_short(node)}"
                    yield _Change("keyword dropped", shown, _drop_keyword(place))
    if isinstance(node, (ast.If, ast.IfExp, ast.While)) and not _refuses(node):
        yield _Change("condition negated", f"not ({_short(node.test)})", _negate)
    if isinstance(node, ast.Module):
        return  # what is left of a whole text without its statement says nothing
    for field in ("body", "orelse", "finalbody"):
        statements = getattr(node, field, None)
        if isinstance(statements, list):
            yield from _dropped_statements(field, statements)


def _another(value: bool | float) -> bool | float:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else value * 1.5 + 0.25


def _other_defaults(node: ast.arguments) -> Iterator[_Change]:
    """A default that is no number: numbers are constants like any other."""
    for field in ("defaults", "kw_defaults"):
        for place, default in enumerate(getattr(node, field)):
            if isinstance(default, ast.Constant) and default.value is None:
                yield _Change("default", "None -> 1", _put_default(field, place, 1))


def _dropped_statements(field: str, statements: list[ast.stmt]) -> Iterator[_Change]:
    for place, statement in enumerate(statements):
        if isinstance(statement, (ast.Assign, ast.AugAssign, ast.For, ast.If, ast.With)) or (
            isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        ):
            if _refuses(statement):
                continue
            drop = _drop_statement(field, place)
            yield _Change("statement dropped", _short(statement), drop, statement.lineno)


def _put_operator(place: int, kind: type[ast.cmpop]) -> Callable[[ast.AST], None]:
    return lambda node: node.ops.__setitem__(place, kind())  # type: ignore[attr-defined]


def _drop_keyword(place: int) -> Callable[[ast.AST], None]:
    return lambda node: node.keywords.__delitem__(place)  # type: ignore[attr-defined]


def _put_default(field: str, place: int, value: object) -> Callable[[ast.AST], None]:
    return lambda node: getattr(node, field).__setitem__(place, ast.Constant(value))


def _drop_statement(field: str, place: int) -> Callable[[ast.AST], None]:
    return lambda node: getattr(node, field).__setitem__(place, ast.Pass())


def _negate(node: ast.AST) -> None:
    node.test = ast.UnaryOp(ast.Not(), node.test)  # type: ignore[attr-defined]


def _short(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0][:70]
