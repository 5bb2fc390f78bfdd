"""A function that is handed on: the calls of it that nobody sees, as far as they pass arguments by position."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from mindport.mapping.bind import Binding
from mindport.mapping.helper_source import helper_defaults
from mindport.mapping.schema import Case
from mindport.mapping.transfer import transfer_call
from mindport.model.span import Span
from mindport.registry.signature import Parameter, ParameterKind, Signature
from mindport.usage.api_use import ApiUse, Argument, Call, Form, Kind

_CALL = re.compile(r"(\w+)\((.*)\)")
_PASSED = re.compile(r"(?:(\w+)=)?\$(\w+)")
_BY_POSITION = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)


def calls_by_position(use: ApiUse, signatures: Sequence[Signature]) -> tuple[ApiUse, ...]:
    """The use as each call that passes the required arguments, and perhaps more of them, by position. None where it
    takes others, or any number."""
    counts: dict[int, tuple[Parameter, ...]] = {}
    for signature in signatures:
        if signature.parameter("self") is not None and len(signatures) > 1:
            continue  # the order of arguments before PyTorch 1.5
        placed = tuple(p for p in signature.parameters if p.kind in _BY_POSITION)
        named = [p for p in signature.parameters if p.kind not in _BY_POSITION]
        if any(p.kind is not ParameterKind.KEYWORD_ONLY for p in named):
            return ()
        if any(p.is_required for p in named):
            continue  # is called by name
        required = sum(p.is_required for p in placed)
        for count in range(required, len(placed) + 1):
            counts.setdefault(count, placed[:count])
    return tuple(_called(use, parameters) for parameters in counts.values())


def _called(use: ApiUse, parameters: Sequence[Parameter]) -> ApiUse:
    arguments = tuple(
        Argument(place, kind=Kind.TENSOR, holds_tensors=True)
        if one.accepts == (Kind.TENSOR.value,)
        else Argument(place)
        for place, one in zip(_places(use.span), parameters, strict=False)
    )
    return msgspec.structs.replace(use, form=Form.CALL, call=Call(use.span, arguments))


def _places(behind: Span) -> Iterator[Span]:
    """Places that differ, as those of arguments do."""
    column = behind.end_column
    while True:
        column += 1
        yield Span(behind.end_line, column, behind.end_line, column)


def takes_arguments_as_they_stand(case: Case, binding: Binding, mindspore: tuple[Signature, ...]) -> bool:
    """Whether the function of a case is called with the same arguments by the same places, and with nothing more."""
    if case.call is None:
        return False
    transfer = transfer_call(case, binding, mindspore)
    is_changed = any(
        one.keyword or one.is_named or one.is_dropped or one.is_packed or one.convert or one.values
        for one in transfer.moves
    )
    return not (transfer.problem or transfer.additions or transfer.receiver_leads or is_changed)


def helper_with_arguments_of_torch(case: Case, signatures: Sequence[Signature]) -> str:
    """The function that a case puts into the file and only calls with torch's arguments, `torch_atan2($input, $other)`:
    where it has torch's parameters in torch's order, with torch's defaults, it takes what the calls pass that nobody
    sees. Empty where there is none; `out=` has a place in none, and raises."""
    call = _CALL.fullmatch(case.rewrite or "")
    parameters = helper_defaults(call[1]) if call else ()
    if not call or not parameters:
        return ""
    own = dict(parameters)
    for place, passed in enumerate(call[2].split(", ")):
        argument = _PASSED.fullmatch(passed)
        if argument is None or argument[2] != (argument[1] or parameters[place][0]):
            return ""
    for signature in signatures:
        placed = [one for one in signature.parameters if one.kind in _BY_POSITION]
        if [one.name for one in placed] != [name for name, _ in parameters[: len(placed)]]:
            return ""
        named = [one for one in signature.parameters if one.name != "out"]
        if any(one.name not in own or (one.default or "") != own[one.name] for one in named):
            return ""
    return call[1]
