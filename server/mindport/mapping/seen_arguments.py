"""The calls that a run showed, where the text does not tell what the arguments are."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec

from mindport.usage.api_use import ApiUse, Argument, Kind

_MOST = 16


def seen_variants(use: ApiUse) -> tuple[ApiUse, ...]:
    """The use once for each combination of values that its arguments were seen to have; nothing where none was seen,
    or so many that they say little."""
    call = use.call
    if call is None or all(argument.seen is None for argument in call.arguments):
        return ()
    choices = [tuple(_as_seen(argument)) for argument in call.arguments]
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > _MOST:
        return ()
    return tuple(
        msgspec.structs.replace(use, call=msgspec.structs.replace(call, arguments=arguments))
        for arguments in itertools.product(*choices)
    )


def _as_seen(argument: Argument) -> Iterator[Argument]:
    seen = argument.seen
    if seen is None:
        yield argument
        return
    holds_tensors = seen.kind is Kind.TENSOR or argument.holds_tensors
    plain = msgspec.structs.replace(argument, seen=None, holds_tensors=holds_tensors)
    kind = argument.kind if argument.kind is not Kind.UNKNOWN else seen.kind
    if not seen.values:
        yield msgspec.structs.replace(plain, kind=kind)
    for value in seen.values:
        yield msgspec.structs.replace(plain, kind=_kind_of(value, kind), is_seen=True, value=value)


def _kind_of(value: object, otherwise: Kind) -> Kind:
    """What a value is, of arguments that were of several kinds."""
    match value:
        case bool():
            return Kind.BOOL
        case int():
            return Kind.INT
        case float():
            return Kind.FLOAT
        case str():
            return Kind.STR
        case None:
            return Kind.NONE
    return otherwise
