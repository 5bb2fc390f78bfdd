"""The decision about one argument of a call that is written for MindSpore, and what a case says of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from mindport.mapping.bind import Binding
from mindport.mapping.condition import TRUE, any_of, evaluate
from mindport.mapping.converters import convert
from mindport.mapping.schema import ArgumentRule, Case, Predicate
from mindport.model.language import say
from mindport.registry.signature import ParameterKind, Signature
from mindport.usage.api_use import Argument, Kind


class Move(msgspec.Struct, frozen=True):
    """One argument on its way. `places` are the indexes of the source arguments; empty for the receiver.
    `keyword` is the name it must be written with, empty where it stands by position; `is_packed` where
    several become one tuple."""

    parameter: str
    places: tuple[int, ...]
    keyword: str = ""
    is_dropped: bool = False
    is_packed: bool = False
    is_named: bool = False  # must go by name, whatever the place
    is_placed: bool = False  # must go by its place, whatever name it is passed by
    convert: str = ""
    values: tuple[tuple[str, str], ...] = ()


def rule_of(case: Case, name: str) -> ArgumentRule:
    """The rule for a torch argument; an empty one where the case has none."""
    rule = case.args.get(name)
    if rule is None:
        return _NO_RULE
    return ArgumentRule(to=rule) if isinstance(rule, str) else rule


_NO_RULE = ArgumentRule()
_BY_PLACE = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
_COLLECTING = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


def is_method_name(dotted: str) -> bool:
    """Whether a MindSpore name is written behind a dot of a value, because its owner is a class:
    `mindspore.Tensor.view`, `mindspore.nn.Cell.set_train`."""
    owner = dotted.split(".")[-2:-1]
    return bool(owner) and owner[0][:1].isupper()


def is_plain(case: Case, torch: Signature, signatures: Sequence[Signature]) -> bool:
    """Whether the names alone differ: every torch parameter has a counterpart of the same name, place and
    default, so that any call, seen or not, means the same."""
    if case.add or case.rewrite is not None or not signatures:
        return False
    if any(not isinstance(rule, str) for rule in case.args.values()):
        return False
    ours = [p for p in signatures[0].parameters if p.name not in ("self",)]
    if len(torch.parameters) > len(ours):
        return False
    for theirs, mine in zip(torch.parameters, ours, strict=False):
        if theirs.name != mine.name or theirs.kind != mine.kind or theirs.name in case.args:
            return False
        if not same_default(theirs.default, mine.default):
            return False
    return all(not p.is_required for p in ours[len(torch.parameters) :])


def is_same_by_place(case: Case, torch: Signature, signatures: Sequence[Signature]) -> bool:
    """Whether what a call passes by place means the same, however much it is: every torch parameter that it reaches has
    its counterpart in the same place, with the same default where it may be left out, as have the others."""
    if case.add or case.rewrite is not None or len(signatures) != 1:
        return False
    theirs = [one for one in torch.parameters if one.kind in _BY_PLACE]
    ours = [one for one in signatures[0].parameters if one.name != "self"]
    if any(one.kind in _COLLECTING for one in (*torch.parameters, *ours)):
        return False
    places = [one for one in ours if one.kind in _BY_PLACE]
    if len(theirs) > len(places) or any(one.is_required for one in ours if one not in places[: len(theirs)]):
        return False
    named = {one.name: one for one in ours}
    by_name = (one for one in torch.parameters if one not in theirs and one.name in named)
    pairs = [*zip(theirs, places, strict=False), *((one, named[one.name]) for one in by_name)]
    return all(
        case.args.get(one.name, one.name) == mine.name
        and (one.is_required or same_default(one.default, mine.default))
        for one, mine in pairs
    )


def same_default(torch: str | None, mindspore: str | None) -> bool:
    """Whether two defaults, given as source text, are the same value."""
    if torch == mindspore:
        return True
    if torch is None or mindspore is None:
        return False
    try:
        return bool(ast.literal_eval(torch) == ast.literal_eval(mindspore))
    except (ValueError, SyntaxError):
        return torch.rpartition(".")[2] == mindspore.rpartition(".")[2] and "." in torch and "." in mindspore


def checked_move(case: Case, binding: Binding, name: str, places: tuple[int, ...]) -> Move | str:
    """The move of one passed argument without its position, or why there is none."""
    rule = rule_of(case, name)
    arguments = [binding.arguments[place] for place in places]
    if rule.report is not None and rule.drop_when is None and not _is_default(binding, name, arguments):
        return say("`{name}` has no counterpart: {report}", name=name, report=rule.report)
    if rule.drop or (rule.report is not None and rule.drop_when is None):
        return Move(name, places, is_dropped=True)
    if rule.drop_when is not None:
        view = binding.view(binding.overloads[0], name)
        fits = any_of([evaluate(Predicate(equals=value), view) for value in rule.drop_when])
        if fits is TRUE:
            return Move(name, places, is_dropped=True)
        if rule.report is not None:
            return say("`{name}` has no counterpart: {report}", name=name, report=rule.report)
        if not rule.to and not rule.convert and not rule.values:
            allowed = " or ".join(_literal(value) for value in rule.drop_when)
            return say("`{name}` has no counterpart unless it is {allowed}", name=name, allowed=allowed)
    # Several values by place are written as one tuple, whatever they are.
    is_packed = len(arguments) > 1 or any(argument.star for argument in arguments)
    if rule.convert is not None and not is_packed and _resists(rule.convert, arguments[0]):
        return say("`{name}` must be converted, and its value is not known here", name=name)
    if rule.values and any(not argument.is_literal for argument in arguments):
        return say("the value of `{name}` is not known here", name=name)
    return Move(
        name,
        places,
        rule.to or "",
        is_placed=rule.by_place,
        convert=rule.convert or _size_converter(case, binding, name, arguments),
        values=tuple(rule.values.items())
        or _truth_values(binding, name, arguments)
        or _former_values(name, arguments),
    )


def _is_default(binding: Binding, name: str, arguments: Sequence[Argument]) -> bool:
    """Whether a call passes what torch takes anyway: `out=None`."""
    if len(arguments) != 1 or not arguments[0].is_literal:
        return False
    parameters = [overload.signature.parameter(name) for overload in binding.overloads]
    return all(one is not None and same_default(one.default, repr(arguments[0].value)) for one in parameters)


def _truth_values(binding: Binding, name: str, arguments: Sequence[Argument]) -> tuple[tuple[str, str], ...]:
    """What a written number or None becomes where torch's parameter is a truth value: layers of torch take `bias=1` and
    `bias=None`, those of MindSpore refuse them. Empty for what is neither."""
    if not all(argument.is_literal and type(argument.value) in (int, type(None)) for argument in arguments):
        return ()
    parameters = (overload.signature.parameter(name) for overload in binding.overloads)
    defaults = {None if parameter is None else parameter.default for parameter in parameters}
    return (
        (("0", "False"), ("1", "True"), ("None", "False"))
        if defaults and defaults <= {"True", "False"}
        else ()
    )


def _former_values(name: str, arguments: Sequence[Argument]) -> tuple[tuple[str, str], ...]:
    """What a written value becomes that torch still takes for another one, under its former name."""
    former = _FORMER.get(name, ("", ""))
    return (former,) if any(repr(argument.value) == former[0] for argument in arguments) else ()


# Parameter -> the former name of a value, and today's.
_FORMER = {"reduction": ("'elementwise_mean'", "'mean'")}


def _size_converter(case: Case, binding: Binding, name: str, arguments: Sequence[Argument]) -> str:
    """How a size is written: MindSpore takes Python's whole numbers alone, and its layers and what moves a window over
    axes Python's tuples; torch takes NumPy's numbers and lists, too. Empty where torch's parameter is no size, or every
    value is good as it is."""
    parameters = [overload.signature.parameter(name) for overload in binding.overloads]
    accepted = _accepted(binding, name)
    kinds = frozenset[str]().union(*accepted)
    if any(argument.kind is Kind.NDARRAY for argument in arguments):
        return "int_if_numpy" if is_size_of_numpy(binding, name, arguments) else ""
    if len(accepted) != 1 or None in parameters or kinds - {"none", "sequence"} != {"bool", "int"}:
        return ""
    written = case.call or case.rewrite or ""
    is_of_layer = _LAYER.search(written) is not None
    if "sequence" in kinds:
        is_sequence = any(argument.kind is Kind.SEQUENCE for argument in arguments)
        if is_sequence and _WINDOW_OF_NUMBERS.search(written):
            return "int_if_numpy"
        takes_tuples = is_of_layer or _WINDOW.search(written) is not None
        return "tuple_if_list" if takes_tuples and is_sequence else ""
    return "int_if_numpy" if is_of_layer and not all(argument.is_literal for argument in arguments) else ""


def is_size_of_numpy(binding: Binding, name: str, arguments: Sequence[Argument]) -> bool:
    """Whether what is passed for a size may be NumPy's. Nowhere does torch take an array for one: it is a number, and
    where Python's numbers are whole, one that may have a fraction is NumPy's."""
    accepted = _accepted(binding, name)
    kinds = frozenset[str]().union(*accepted)
    is_size = kinds - {"none", "sequence", "str", "tensor"} == {"bool", "int"} and () not in accepted
    return is_size and any(argument.kind in (Kind.NDARRAY, Kind.NUMBER) for argument in arguments)


def _accepted(binding: Binding, name: str) -> set[tuple[str, ...]]:
    parameters = (overload.signature.parameter(name) for overload in binding.overloads)
    return {parameter.accepts for parameter in parameters if parameter is not None} - {("str",)}


_LAYER = re.compile(r"^mindspore\.(?:mint\.)?nn\.[A-Z]")
_WINDOW = re.compile(r"\b(?:ops|functional)\.(?:conv|\w*pool)\w*")
_WINDOW_OF_NUMBERS = re.compile(r"\bops\.\w*pool1d\b|\bnn\.\w+Pool1d\(")
"""What pools one axis takes a number alone, where torch takes a list or tuple with one, too."""


def _resists(converter: str, argument: Argument) -> bool:
    """Whether a converter can say nothing of a value of this kind. A sequence may be written out with
    elements that are no literals, which only its text shows."""
    if argument.is_literal or argument.kind.value == "sequence":
        return False
    return convert(converter, "value", argument.kind.value) is None


def _literal(value: Any) -> str:
    return repr(tuple(value)) if isinstance(value, list) else repr(value)
