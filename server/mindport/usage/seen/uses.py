"""What a run showed of one use of torch."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from mindport.model.span import Span
from mindport.usage import torch_model
from mindport.usage.api_use import ApiUse, Argument, Kind, LiteralValue, SeenArgument, TorchName
from mindport.usage.seen.places import MODULE_CALL, is_of_receiver, positional_arguments
from mindport.usage.seen.run import MANY, SeenCall, SeenValue, Value
from mindport.usage.seen.words import words_of

_KINDS = {
    "torch.Tensor": Kind.TENSOR, "torch.nn.parameter.Parameter": Kind.TENSOR, "int": Kind.INT, "float": Kind.FLOAT,
    "bool": Kind.BOOL, "str": Kind.STR, "NoneType": Kind.NONE, "list": Kind.SEQUENCE, "tuple": Kind.SEQUENCE,
    "torch.Size": Kind.SEQUENCE, "numpy.ndarray": Kind.NDARRAY, "torch.dtype": Kind.DTYPE,
    "torch.device": Kind.DEVICE, "function": Kind.CALLABLE,
}  # fmt: skip
_NUMBERS = frozenset((Kind.INT, Kind.FLOAT, Kind.BOOL))


def with_seen(use: ApiUse, node: ast.AST, calls: Sequence[SeenCall]) -> ApiUse:
    """The use, with what was seen of it at the expression `node`. Of a place that calls several names, or one with
    several numbers of arguments, only what is alike counts."""
    if not calls:
        return use
    words = tuple(dict.fromkeys(words for call in calls for words in _words(call, node)))
    call = use.call
    if (
        call is None
        or not isinstance(node, ast.Call)
        or len(calls) > 1
        or len(call.arguments) != _written(node)
    ):
        return msgspec.structs.replace(use, seen=words)
    seen = calls[0]
    positional = iter(tuple(positional_arguments(seen, node)))
    arguments = tuple(_as_seen(argument, seen, positional) for argument in call.arguments)
    return msgspec.structs.replace(use, call=msgspec.structs.replace(call, arguments=arguments), seen=words)


def with_seen_names(use: ApiUse, span: Span, seen: Mapping[Span, tuple[SeenCall, ...]]) -> ApiUse:
    """The look-up of a name, with those that were called where a call of its result begins."""
    names = {
        name
        for place, calls in seen.items()
        if place.start == span.start and span.end < place.end
        for call in calls
        for name in _names_in(use.api, call.name)
    }
    return msgspec.structs.replace(use, names=tuple(sorted(names))) if names else use


def _names_in(module: str, dotted: str) -> Iterator[str]:
    reference = torch_model.reference(dotted)
    owner, _, name = reference.name.rpartition(".")
    if reference.is_known and owner == module:
        yield name


def _words(call: SeenCall, node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.Call):
        return words_of(call, len(call.arguments), call.keywords)
    before = call.name == MODULE_CALL or is_of_receiver(call, node)
    keywords = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
    return words_of(call, len(node.args) + before, keywords)


def _written(node: ast.Call) -> int:
    return len(node.args) + len(node.keywords)


def _as_seen(argument: Argument, call: SeenCall, positional: Iterator[SeenValue]) -> Argument:
    if argument.star:
        return argument
    value = next(positional, None) if argument.keyword is None else call.keywords.get(argument.keyword)
    found = None if value is None or argument.is_literal else _seen_argument(value)
    return argument if found is None else msgspec.structs.replace(argument, seen=found)


def _seen_argument(value: SeenValue) -> SeenArgument | None:
    kinds = {_kind_of(name) for name in value.types}
    kind = kinds.pop() if len(kinds) == 1 else Kind.NUMBER if kinds and kinds <= _NUMBERS else Kind.UNKNOWN
    values = tuple(literal(one) for one in value.values)
    if kind is Kind.UNKNOWN and not values:
        return None
    return SeenArgument(kind, values)


def _kind_of(name: str) -> Kind:
    found = _KINDS.get(name)
    if found is not None or name == MANY or name.partition(".")[0] not in torch_model.TORCH_ROOTS:
        return found or Kind.UNKNOWN
    reference = torch_model.reference(name)
    if torch_model.is_module_class(reference.name):
        return Kind.MODULE
    return Kind.OPTIMIZER if torch_model.is_optimizer_class(reference.name) else Kind.OTHER


def literal(value: Value) -> LiteralValue:
    """A value of a trace as the arguments of calls have it."""
    match value:
        case dict():
            return TorchName(value.get("torch", ""))
        case list():
            return tuple(literal(one) for one in value)  # type: ignore[arg-type, misc]
    return value
