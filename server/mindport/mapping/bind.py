"""Binds the arguments of one call to the parameters of torch's signatures: which overloads remain possible,
and which argument reaches which parameter in each."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import msgspec

from mindport.mapping.condition import (
    ABSENT,
    LEFT_OUT,
    NOTHING_KNOWN,
    TRUE,
    ArgumentView,
    any_of,
    view_of,
    view_of_default,
)
from mindport.registry.binding import NUMPY_NAMES, Overload, bind
from mindport.registry.signature import ParameterKind, Signature
from mindport.usage.api_use import Argument, Call, Kind

RECEIVER = "input"
"""The parameter name of what stands before the dot of a method or attribute."""


class BoundOverload(msgspec.Struct, frozen=True):
    """One way to read the call. `places` gives the indexes of the arguments that reach a parameter;
    `unknown` holds the parameters that a starred argument may or may not reach."""

    signature: Signature
    places: dict[str, tuple[int, ...]]
    unknown: frozenset[str] = frozenset()


class Binding(msgspec.Struct, frozen=True):
    """A call and every way to read it. No overloads: torch's signature is not known, or the call does not
    fit it.

    `has_receiver` where the value before the dot counts as the parameter `input`; `is_call` is false for
    names that are used as values, whose arguments nobody knows."""

    arguments: tuple[Argument, ...]
    overloads: tuple[BoundOverload, ...]
    has_receiver: bool = False
    is_call: bool = True

    @property
    def has_stars(self) -> bool:
        """Whether `*xs` or `**kw` is among the arguments."""
        return any(argument.star for argument in self.arguments)

    def view(self, overload: BoundOverload | None, name: str) -> ArgumentView:
        """What is known of the parameter `name` when the call is read as `overload`."""
        if name == RECEIVER and self.has_receiver:
            return _RECEIVER_VIEW
        if not self.is_call:
            return NOTHING_KNOWN
        if overload is None:
            return self._view_by_keyword(name)
        if name in overload.unknown:
            return NOTHING_KNOWN
        places = overload.places.get(name)
        parameter = overload.signature.parameter(name)
        if places:
            if parameter is not None and parameter.kind is ParameterKind.VAR_POSITIONAL:
                return _collected([self.arguments[place] for place in places])
            return view_of(self.arguments[places[0]])
        if parameter is None:
            return ABSENT
        if parameter.kind is ParameterKind.VAR_POSITIONAL:
            return ABSENT
        return LEFT_OUT if parameter.default is None else view_of_default(parameter.default)

    def _view_by_keyword(self, name: str) -> ArgumentView:
        for argument in self.arguments:
            if argument.keyword is not None and NUMPY_NAMES.get(argument.keyword, argument.keyword) == name:
                return view_of(argument)
        positional = any(argument.keyword is None for argument in self.arguments)
        return NOTHING_KNOWN if positional else LEFT_OUT


_RECEIVER_VIEW = ArgumentView(TRUE, "unknown")
NOT_A_CALL = Binding((), (), is_call=False)


def _collected(arguments: Sequence[Argument]) -> ArgumentView:
    """What `*size` holds: one sequence or tensor passed for all, or the arguments together."""
    if len(arguments) == 1 and arguments[0].kind in (Kind.SEQUENCE, Kind.TENSOR):
        return view_of(arguments[0])
    is_known = all(argument.is_literal and not isinstance(argument.value, tuple) for argument in arguments)
    value = tuple(argument.value for argument in arguments) if is_known else None
    held = any_of([view_of(argument).holds_tensors for argument in arguments])
    return ArgumentView(TRUE, "sequence", is_known, value, is_known, held)


def bind_call(call: Call, signatures: Sequence[Signature], has_receiver: bool) -> Binding:
    """Bind `call` to every signature it may mean; to one alone where that one fits for certain."""
    bound = bind(signatures, call.arguments)
    possible = bound.possible if bound.chosen is None else (bound.chosen,)
    return Binding(call.arguments, tuple(_overload(one, call.arguments) for one in possible), has_receiver)


def _overload(bound: Overload, arguments: Sequence[Argument]) -> BoundOverload:
    """The same under the names that mappings use: what `**kwargs` collects stands under the names it was
    passed by, and the `self` that some stubs have for the first operand is `input`."""
    signature, places = bound.signature, bound.arguments
    collector = next((p.name for p in signature.parameters if p.kind is ParameterKind.VAR_KEYWORD), None)
    if collector in places:
        named = {arguments[place].keyword or "": (place,) for place in places[collector]}
        places = {name: found for name, found in places.items() if name != collector} | named
    if signature.parameter("self") is not None:
        signature = _with_input(signature)
        places = {RECEIVER if name == "self" else name: found for name, found in places.items()}
    return BoundOverload(signature, places, bound.open_parameters)


@functools.lru_cache(maxsize=256)
def _with_input(signature: Signature) -> Signature:
    renamed = tuple(
        msgspec.structs.replace(p, name=RECEIVER) if p.name == "self" else p for p in signature.parameters
    )
    return msgspec.structs.replace(signature, parameters=renamed)
