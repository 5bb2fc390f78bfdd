"""Which overload a call takes and which argument reaches which parameter, as far as the source shows it.

The answer is three-valued: an overload fits for certain, may fit, or cannot fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from mindport.model.verdict import Certainty
from mindport.registry.signature import Parameter, ParameterKind, Signature

# torch's native functions also take numpy's names.
NUMPY_NAMES: Mapping[str, str] = {
    "axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"
}  # fmt: skip

# A value known as the key may at run time be any of these.
_MAY_BE = {
    "number": frozenset(("int", "float", "bool", "number")),
}
_NOT_KNOWN = "unknown"
_ANYTHING = "Any"
_COLLECTING = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


class ArgumentKind(Protocol):
    """Kinds are told by their word, those of `usage.Kind`."""

    @property
    def value(self) -> str:
        """`tensor`, `int`, `unknown` ..."""


class PassedArgument(Protocol):
    """What binding needs to know of one argument; `usage.Argument` fits."""

    @property
    def keyword(self) -> str | None:
        """The name it is passed by; None for a positional one."""

    @property
    def star(self) -> int:
        """1 for `*xs`, 2 for `**kw`."""

    @property
    def kind(self) -> ArgumentKind:
        """The type of the value as far as it is known."""


class Overload(msgspec.Struct, frozen=True):
    """One signature that the call may take.

    `arguments`: parameter -> indexes of the arguments that reach it (several for `*size`; none for
    those left out). `open_parameters`: those that `*xs` or `**kw` may reach: nobody knows whether they are
    passed. `certainty` is UNKNOWN where an argument's kind, or a star, leaves open whether it fits."""

    index: int
    signature: Signature
    arguments: dict[str, tuple[int, ...]]
    open_parameters: frozenset[str]
    certainty: Certainty


class MatchingOverloads(msgspec.Struct, frozen=True):
    """All overloads that the call may take, in the order of the signatures; empty if it fits none."""

    possible: tuple[Overload, ...]

    @property
    def chosen(self) -> Overload | None:
        """The overload that is taken: the only possible one, or the first if it fits for certain; None
        if that is open, or if none fits."""
        if not self.possible:
            return None
        first = self.possible[0]
        return first if len(self.possible) == 1 or first.certainty is Certainty.TRUE else None


def bind(signatures: Sequence[Signature], passed: Sequence[PassedArgument]) -> MatchingOverloads:
    """Bind the arguments of a call, in source order, to each signature.

    With several signatures an argument of a kind that a parameter does not accept rules a signature out. If
    that rules out all, or there is but one, kinds are ignored: annotations are not enforced. For a method
    `passed` has no receiver, as its signatures have no `self`."""
    fitting = [
        found for index, signature in enumerate(signatures) if (found := _bind_one(index, signature, passed))
    ]
    if len(fitting) < 2:
        return MatchingOverloads(tuple(fitting))
    judged = [(overload, _kinds_fit(overload, passed)) for overload in fitting]
    left = tuple(
        overload if certainty is Certainty.TRUE else _doubtful(overload)
        for overload, certainty in judged
        if certainty is not Certainty.FALSE
    )
    return MatchingOverloads(left or tuple(_doubtful(overload) for overload in fitting))


def _doubtful(overload: Overload) -> Overload:
    return Overload(
        overload.index, overload.signature, overload.arguments, overload.open_parameters, Certainty.UNKNOWN
    )


def _bind_one(index: int, signature: Signature, passed: Sequence[PassedArgument]) -> Overload | None:
    """The binding by number and name alone; None if the call cannot mean this signature."""
    positional: list[Parameter] = []
    by_keyword: dict[str, Parameter] = {}
    variable = rest = ""
    for parameter in signature.parameters:
        if parameter.kind is ParameterKind.VAR_POSITIONAL:
            variable = parameter.name
        elif parameter.kind is ParameterKind.VAR_KEYWORD:
            rest = parameter.name
        else:
            if parameter.kind is not ParameterKind.KEYWORD_ONLY:
                positional.append(parameter)
            if parameter.kind is not ParameterKind.POSITIONAL_ONLY:
                by_keyword[parameter.name] = parameter
    bound: dict[str, tuple[int, ...]] = {}
    place = 0
    star = double_star = False
    for number, argument in enumerate(passed):
        if argument.star == 2:
            double_star = True
        elif argument.star == 1:
            star = True
        elif argument.keyword is None:
            if star:
                continue  # its place is not known
            if place < len(positional):
                bound[positional[place].name] = (number,)
                place += 1
            elif variable:
                bound[variable] = (*bound.get(variable, ()), number)
            else:
                return None
        else:
            name = _parameter_name(argument.keyword, by_keyword)
            if name is None:
                if not rest:
                    return None
                bound[rest] = (*bound.get(rest, ()), number)
            elif name in bound:
                return None
            else:
                bound[name] = (number,)
    return _completed(index, signature, bound, positional[place:], star=star, double_star=double_star)


def _parameter_name(keyword: str, by_keyword: Mapping[str, Parameter]) -> str | None:
    if keyword in by_keyword:
        return keyword
    other = NUMPY_NAMES.get(keyword)
    return other if other in by_keyword else None


def _completed(
    index: int,
    signature: Signature,
    bound: dict[str, tuple[int, ...]],
    behind: list[Parameter],
    *,
    star: bool,
    double_star: bool,
) -> Overload | None:
    """The overload with what stars may reach; None if a required parameter is reached by nothing."""
    reachable: set[str] = set()
    if star:
        reachable |= {parameter.name for parameter in behind}
        reachable |= {p.name for p in signature.parameters if p.kind is ParameterKind.VAR_POSITIONAL}
    if double_star:
        reachable |= {
            parameter.name
            for parameter in signature.parameters
            if parameter.kind not in (ParameterKind.POSITIONAL_ONLY, ParameterKind.VAR_POSITIONAL)
        }
    certainty = Certainty.UNKNOWN if star or double_star else Certainty.TRUE
    for parameter in signature.parameters:
        if parameter.is_required and parameter.name not in bound and parameter.name not in reachable:
            return None
    collectors = {p.name for p in signature.parameters if p.kind in _COLLECTING}
    opened = frozenset(name for name in reachable if name not in bound or name in collectors)
    return Overload(index, signature, bound, opened, certainty)


def _kinds_fit(overload: Overload, passed: Sequence[PassedArgument]) -> Certainty:
    """Whether the kinds of the arguments fit the parameters they reach."""
    answer = overload.certainty
    for parameter in overload.signature.parameters:
        for number in overload.arguments.get(parameter.name, ()):
            if parameter.annotation == _ANYTHING:
                continue
            fits = _kind_fits(passed[number].kind.value, parameter.accepts)
            if fits is Certainty.FALSE:
                return fits
            if fits is Certainty.UNKNOWN:
                answer = fits
    return answer


def _kind_fits(kind: str, accepts: tuple[str, ...]) -> Certainty:
    if not accepts:
        return Certainty.TRUE if kind != _NOT_KNOWN else Certainty.UNKNOWN
    if kind in accepts:
        return Certainty.TRUE
    if kind == _NOT_KNOWN or kind == "other":
        return Certainty.UNKNOWN
    if kind in _MAY_BE and _MAY_BE[kind] & set(accepts):
        return Certainty.UNKNOWN
    if kind == "tensor" and {"int", "float", "number", "bool"} & set(accepts) and "device" not in accepts:
        # A tensor of one element passes for a number, but not for the number of a device.
        return Certainty.UNKNOWN
    return Certainty.FALSE
