"""Calls beside one that is written: with an argument left out, put in, or another; with its value taken or dropped."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence

from mindport.registry.signature import Parameter, ParameterKind, Signature
from mindport.source.trees import every_node

_MOST = 32
_OPTIONS = {
    "reduction": ("'none'", "'sum'", "'mean'"),
    "padding_mode": ("'reflect'", "'circular'"),
    "approximate": ("'tanh'",),
    "dtype": ("torch.float64", "torch.int64"),
    "dim": ("0", "-1"),
    "axis": ("0",),
    "generator": ("torch.Generator()",),
    "ord": ("0", "1", "2.5", "float('inf')"),
    "p": ("0", "1", "2.5", "float('inf')"),
}


def other_calls(before: str, names: set[str], signatures: Sequence[Signature]) -> Iterator[tuple[str, str]]:
    """The statements with one argument of a call of `names` left out, put in, or another."""
    tree = ast.parse(before)
    found: dict[str, str] = {}
    for position, node in enumerate(every_node(tree)):
        if isinstance(node, ast.Call) and _last_name(node.func) in names:
            for name, call in _calls_like(node, signatures):
                changed = copy.deepcopy(tree)
                place = next(one for number, one in enumerate(every_node(changed)) if number == position)
                assert isinstance(place, ast.Call)
                place.func, place.args, place.keywords = call.func, call.args, call.keywords
                found.setdefault(ast.unparse(changed), name)
    for text, name in list(found.items())[:_MOST]:
        yield name, text


def other_uses(before: str, names: set[str], inputs: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The statements with the value of a call of `names` taken, where nobody takes it, or dropped: how that is named,
    the text, and what to observe."""
    tree = ast.parse(before)
    for place, node in enumerate(tree.body):
        match node:
            case ast.Expr(value=ast.Call(func=function) as call) if _last_name(function) in names:
                taken = ast.Assign([ast.Name("z", ast.Store())], call)
                yield "value taken", _with_statement(tree, place, taken), "z"
            case ast.Assign(value=ast.Call(func=function) as call) if (
                _last_name(function) in names and inputs
            ):
                if place == len(tree.body) - 1:
                    yield "value dropped", _with_statement(tree, place, ast.Expr(call)), inputs[0]


def _with_statement(tree: ast.Module, place: int, statement: ast.stmt) -> str:
    body = [*tree.body[:place], statement, *tree.body[place + 1 :]]
    return ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _calls_like(call: ast.Call, signatures: Sequence[Signature]) -> Iterator[tuple[str, ast.Call]]:
    if isinstance(call.func, ast.Attribute):
        handed_on = ast.parse("(lambda function: function)()", mode="eval").body
        assert isinstance(handed_on, ast.Call)
        handed_on.args = [call.func]
        yield "handed on", ast.Call(handed_on, call.args, call.keywords)
    is_spread = any(isinstance(argument, ast.Starred) for argument in call.args)
    for signature in () if is_spread else signatures:
        by_place = (ParameterKind.POSITIONAL_ONLY, ParameterKind.VAR_POSITIONAL)
        names = [one.name for one in signature.parameters if one.kind is ParameterKind.POSITIONAL_OR_KEYWORD]
        if any(one.kind in by_place for one in signature.parameters) or len(names) < len(call.args):
            continue
        for kept in range(min(2, len(call.args))):
            pairs = zip(names[kept:], call.args[kept:], strict=False)
            named = [ast.keyword(name, value) for name, value in pairs]
            yield f"by name from {kept}", ast.Call(call.func, call.args[:kept], [*named, *call.keywords])
    for place, keyword in enumerate(call.keywords):
        rest = [*call.keywords[:place], *call.keywords[place + 1 :]]
        yield f"without {keyword.arg}", ast.Call(call.func, call.args, rest)
        for other in _other_values(keyword.value):
            new = ast.keyword(keyword.arg, other)
            changed = [*call.keywords[:place], new, *call.keywords[place + 1 :]]
            yield f"{keyword.arg}={ast.unparse(other)}", ast.Call(call.func, call.args, changed)
    for kept in range(len(call.args) - 1, 0, -1):
        yield f"first {kept} arguments", ast.Call(call.func, call.args[:kept], call.keywords)
    for place, argument in enumerate(call.args):
        for other in _other_values(argument):
            args = [*call.args[:place], other, *call.args[place + 1 :]]
            yield f"argument {place + 1} {ast.unparse(other)}", ast.Call(call.func, args, call.keywords)
    passed = {keyword.arg for keyword in call.keywords}
    for parameter in {one.name: one for signature in signatures for one in signature.parameters}.values():
        if parameter.name in passed or parameter.default is None:
            continue
        if parameter.kind in (ParameterKind.POSITIONAL_ONLY, ParameterKind.VAR_KEYWORD):
            continue
        for text in _options_of(parameter):
            new = ast.keyword(parameter.name, ast.parse(text, mode="eval").body)
            yield f"{parameter.name}={text}", ast.Call(call.func, call.args, [*call.keywords, new])


def _other_values(node: ast.expr) -> list[ast.expr]:
    """Values in place of one that is written: the opposite, the next, another size."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, SyntaxError):
        return []
    if isinstance(value, bool):
        others: list[object] = [not value]
    elif isinstance(value, int):
        others = [value + 1, value - 1, -1]
    elif isinstance(value, float):
        others = [value * 1.5 + 0.25, 0.0]
    elif isinstance(value, (tuple, list)) and value and all(type(one) is int for one in value):
        others = [type(value)(changed) for changed in _other_numbers(value)]
    else:
        return []
    return [ast.parse(repr(one), mode="eval").body for one in others if one != value]


def _other_numbers(values: Sequence[int]) -> Iterator[list[int]]:
    """The other way round, all larger, one larger, and counted from the end, as axes may be."""
    yield list(reversed(values))
    yield [one + 1 for one in values]
    for place in range(min(len(values), 2) if len(values) > 1 else 0):
        yield [one + (number == place) for number, one in enumerate(values)]
    yield [-1 - one for one in values]


def _options_of(parameter: Parameter) -> tuple[str, ...]:
    """Values for an argument that a call leaves out, other than its default."""
    default = parameter.default or ""
    known = _OPTIONS.get(parameter.name, ())
    if known:
        return tuple(text for text in known if text != default)
    try:
        value = ast.literal_eval(default)
    except (ValueError, SyntaxError):
        return ()
    if isinstance(value, bool):
        return (repr(not value),)
    if isinstance(value, (int, float)):
        return (repr(value + 1), repr(value * 0.5 + 0.25) if isinstance(value, float) else "2")
    if value is not None:
        return ()
    kinds = {"int": ("1",), "float": ("0.25",), "sequence": ("(0,)", "(1, 0)"), "bool": ("True", "False")}
    return next((kinds[kind] for kind in parameter.accepts if kind in kinds), ())
