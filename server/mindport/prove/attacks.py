"""Samples that attack what is written for a call: values at the edge, other dtypes, shapes and options than the author
of an example chose, the other mode of a module. They are made from the example and torch's signatures alone.

torch decides which of them mean anything; one that it refuses says nothing. A sample of these that differs is no
contradiction of the case, which may say that it is for other values."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindport.mapping.schema import Example
from mindport.registry.signature import Parameter, ParameterKind, Signature

VALUES = ("ties", "infinite", "nan", "int32", "boolean")
_SEED = 11
_GENERATORS = ("rand", "randn", "edges")  # of floats, with sizes that can be read
_MOST_CALLS = 24
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


class Attack(NamedTuple):
    """One way to attack: `example` is the author's, or one made from it; `variant` and `seed` bend its inputs."""

    name: str
    example: Example
    variant: str = "own"
    seed: int = _SEED


def attacks_on(example: Example, apis: Sequence[str], signatures: Sequence[Signature]) -> Iterator[Attack]:
    """The attacks on an example of `apis`, torch names with these signatures; those that need no other text first."""
    if example.compare == "value" and _has_floats(example):
        for variant in VALUES:
            yield Attack(variant, example, variant)
        for name, inputs in _other_shapes(example.inputs):
            yield Attack(name, msgspec.structs.replace(example, inputs=inputs, case=None))
        for name, inputs in _other_dtypes(example.inputs):
            yield Attack(name, msgspec.structs.replace(example, inputs=inputs, case=None))
    if example.modern:
        return
    if example.compare == "value" and re.search(r"^m = ", example.before, re.MULTILINE):
        evaluated = re.sub(r"^(m = .*)$", r"\1\nm.eval()", example.before, count=1, flags=re.MULTILINE)
        if _is_code(evaluated):
            yield Attack("m.eval()", msgspec.structs.replace(example, before=evaluated, case=None))
        for name in {one.name: None for signature in signatures for one in signature.parameters}:
            yield Attack(f"m.{name}", msgspec.structs.replace(example, observe=f"m.{name}", case=None))
    for name, before in _other_calls(example.before, {api.rpartition(".")[2] for api in apis}, signatures):
        yield Attack(name, msgspec.structs.replace(example, before=before, case=None))


def _has_floats(example: Example) -> bool:
    return any(f"{name}(" in text for text in example.inputs.values() for name in _GENERATORS)


def _other_shapes(inputs: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The inputs with other sizes: of the first of them, and of all."""
    generated = [name for name, text in inputs.items() if _sizes(text) is not None]
    for wanted in dict.fromkeys((tuple(generated[:1]), tuple(generated))):
        for kind in ("one axis more", "one axis fewer", "axes of one", "no elements"):
            changed = {name: _resized(inputs[name], kind) for name in wanted}
            if any(inputs[name] != text for name, text in changed.items()):
                yield f"{kind} in {', '.join(wanted)}", {**inputs, **changed}


def _other_dtypes(inputs: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The inputs with one of them in another dtype, so that they are mixed."""
    for name, text in inputs.items():
        if "dtype" in text or not text.endswith(")"):
            continue
        is_float = text.startswith(_GENERATORS)
        for dtype in ("float64", "float16") if is_float else ("int32",) if text.startswith("rand") else ():
            yield f"{name} in {dtype}", {**inputs, name: f"{text[:-1]}, dtype='{dtype}')"}


def _is_code(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _sizes(text: str) -> list[int] | None:
    """The sizes that a generator of floats is given; None where the text is anything else."""
    match ast.parse(text, mode="eval").body:
        case ast.Call(func=ast.Name(id=name), args=args) if name in _GENERATORS:
            found = [
                arg.value for arg in args if isinstance(arg, ast.Constant) and isinstance(arg.value, int)
            ]
            return found if len(found) == len(args) else None
    return None


def _resized(text: str, kind: str) -> str:
    sizes = _sizes(text)
    if sizes is None:
        return text
    if kind == "one axis more":
        sizes = [2, *sizes]
    elif kind == "one axis fewer":
        sizes = sizes[1:]
    elif kind == "axes of one":
        sizes = [1] * len(sizes)
    elif sizes:
        sizes = [0, *sizes[1:]]
    return f"{text.partition('(')[0]}({', '.join(map(str, sizes))})"


def _other_calls(before: str, names: set[str], signatures: Sequence[Signature]) -> Iterator[tuple[str, str]]:
    """The statements with one argument of a call of `names` left out, put in, or another."""
    tree = ast.parse(before)
    found: dict[str, str] = {}
    for position, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.Call) and _last_name(node.func) in names:
            for name, call in _calls_like(node, signatures):
                changed = copy.deepcopy(tree)
                place = next(one for number, one in enumerate(ast.walk(changed)) if number == position)
                assert isinstance(place, ast.Call)
                place.func, place.args, place.keywords = call.func, call.args, call.keywords
                found.setdefault(ast.unparse(changed), name)
    for text, name in list(found.items())[:_MOST_CALLS]:
        yield name, text


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
        others = [type(value)(reversed(value)), type(value)(one + 1 for one in value)]
    else:
        return []
    return [ast.parse(repr(one), mode="eval").body for one in others if one != value]


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
