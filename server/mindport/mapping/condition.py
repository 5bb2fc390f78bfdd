"""Conditions on one argument, evaluated with three answers: true, false, unknown."""

from __future__ import annotations

import ast
import functools
from typing import Any

import msgspec

from mindport.mapping.schema import Condition, Predicate
from mindport.model.verdict import Certainty
from mindport.usage.api_use import Argument, Kind, TorchName

TRUE, FALSE, UNKNOWN = Certainty.TRUE, Certainty.FALSE, Certainty.UNKNOWN

_UNSET = msgspec.UNSET
_NUMBERS = frozenset({"int", "float", "bool", "number"})


class ArgumentView(msgspec.Struct, frozen=True):
    """What is known of one bound argument: whether it is passed, its kind (`unknown` if not known) and its
    value where `is_known`. `is_literal` is false for a default that comes from the signature."""

    passed: Certainty
    kind: str = "unknown"
    is_known: bool = False
    value: Any = None
    is_literal: bool = False
    holds_tensors: Certainty = UNKNOWN


NOTHING_KNOWN = ArgumentView(UNKNOWN)
LEFT_OUT = ArgumentView(FALSE)  # not passed, and torch's default is not known
ABSENT = ArgumentView(FALSE, "none", True, None)  # the overload has no such parameter


def view_of(argument: Argument) -> ArgumentView:
    """What an argument that is written in the call tells."""
    kind = argument.kind.value
    if argument.is_literal and argument.kind is Kind.UNKNOWN:
        kind = _kind_of(argument.value)
    held = _holds_tensors(argument)
    is_known = argument.is_literal or argument.is_seen
    return ArgumentView(TRUE, kind, is_known, argument.value, argument.is_literal, held)


def _holds_tensors(argument: Argument) -> Certainty:
    """Whether there are tensors in an argument: in none that can be read as a whole."""
    if argument.is_literal:
        return FALSE
    return UNKNOWN if argument.holds_tensors is None else TRUE if argument.holds_tensors else FALSE


@functools.lru_cache(maxsize=4096)
def view_of_default(source: str) -> ArgumentView:
    """What torch's default says, given its source text; a default that is no literal is not known."""
    text = source.strip()
    if text == "...":  # there is a default, and nobody knows which
        return LEFT_OUT
    if text.startswith("torch.") and all(part.isidentifier() for part in text.split(".")):
        return ArgumentView(FALSE, _kind_of(TorchName(text)), True, TorchName(text))
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return LEFT_OUT
    if isinstance(value, list):
        value = tuple(value)
    if value == ():
        value = None  # the stubs write `stride=()` where the documentation says None
    return ArgumentView(FALSE, _kind_of(value), True, value)


def _kind_of(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "bool"
        case int():
            return "int"
        case float():
            return "float"
        case str():
            return "str"
        case tuple():
            return "sequence"
    return "unknown"


def evaluate(condition: Condition, view: ArgumentView) -> Certainty:
    """Whether `condition` holds for the argument: all keys of a predicate together."""
    if not isinstance(condition, Predicate):
        return _equals(condition, view)
    answers = []
    if condition.passed is not _UNSET:
        answers.append(view.passed if condition.passed else ~view.passed)
    if condition.equals is not _UNSET:
        answers.append(_equals(condition.equals, view))
    if isinstance(condition.one_of, list):
        answers.append(any_of([_equals(value, view) for value in condition.one_of]))
    if isinstance(condition.not_in, list):
        answers.append(~any_of([_equals(value, view) for value in condition.not_in]))
    if isinstance(condition.kind, (str, list)):
        wanted = [condition.kind] if isinstance(condition.kind, str) else condition.kind
        answers.append(any_of([_is_kind(kind, view) for kind in wanted]))
    if condition.literal is not _UNSET:
        answers.append(_is_literal(bool(condition.literal), view))
    if condition.at_least is not _UNSET:
        answers.append(_compares(view, lambda value: value >= condition.at_least))
    if condition.at_most is not _UNSET:
        answers.append(_compares(view, lambda value: value <= condition.at_most))
    if condition.length is not _UNSET:
        answers.append(_has_length(condition.length, view))
    if condition.holds_tensors is not _UNSET:
        answers.append(view.holds_tensors if condition.holds_tensors else ~view.holds_tensors)
    return all_of(answers)


def all_of(answers: list[Certainty]) -> Certainty:
    """True if all are, false if one is."""
    if FALSE in answers:
        return FALSE
    return UNKNOWN if UNKNOWN in answers else TRUE


def any_of(answers: list[Certainty]) -> Certainty:
    """True if one is, false if all are."""
    if TRUE in answers:
        return TRUE
    return UNKNOWN if UNKNOWN in answers else FALSE


def _equals(wanted: Any, view: ArgumentView) -> Certainty:
    if view is ABSENT and wanted is False:
        return TRUE  # a switch that this overload does not have is off
    if view.is_known:
        return TRUE if _same(wanted, view.value) else FALSE
    if view.kind == "unknown" or view.passed is UNKNOWN:
        return UNKNOWN
    # The value is not known but its kind is: a tensor is never None, a string never 0.
    wanted_kind = "sequence" if isinstance(wanted, list) else _kind_of(wanted)
    if wanted_kind == "str" and view.kind not in ("str", "none") and wanted.startswith("torch."):
        return UNKNOWN
    return UNKNOWN if _may_be(view.kind, wanted_kind) else FALSE


def _may_be(kind: str, wanted: str) -> bool:
    return kind == wanted or (kind in _NUMBERS and wanted in _NUMBERS)


def _same(wanted: Any, value: Any) -> bool:
    if isinstance(value, TorchName):
        return bool(wanted == value.name)
    if isinstance(wanted, list) or isinstance(value, (tuple, list)):
        return (
            isinstance(wanted, list)
            and isinstance(value, (tuple, list))
            and len(wanted) == len(value)
            and all(_same(a, b) for a, b in zip(wanted, value, strict=True))
        )
    if wanted is None or value is None:
        return wanted is value
    if isinstance(wanted, str) != isinstance(value, str):
        return False
    return bool(wanted == value)


def _is_kind(wanted: str, view: ArgumentView) -> Certainty:
    kind = view.kind
    if kind == "unknown" or (view.passed is UNKNOWN and kind != wanted):
        return UNKNOWN
    if kind == wanted == "tensor":
        return view.holds_tensors  # it may be one only where it comes from one of several places
    if kind == wanted or (wanted == "number" and kind in _NUMBERS):
        return TRUE
    if kind == "number" and wanted in _NUMBERS:
        return UNKNOWN
    return FALSE


def _is_literal(wanted: bool, view: ArgumentView) -> Certainty:
    if view.passed is UNKNOWN:
        return UNKNOWN
    is_literal = view.is_literal or (view.passed is FALSE and view.is_known)
    return TRUE if is_literal == wanted else FALSE


def _compares(view: ArgumentView, test: Any) -> Certainty:
    """A sequence passes if every number in it does."""
    if view.is_known:
        values = view.value if isinstance(view.value, (tuple, list)) and view.value else (view.value,)
        return TRUE if all(isinstance(one, (int, float)) and test(one) for one in values) else FALSE
    return UNKNOWN if view.kind in ("unknown", "sequence") or view.kind in _NUMBERS else FALSE


def _has_length(wanted: int | msgspec.UnsetType, view: ArgumentView) -> Certainty:
    if view.is_known:
        return TRUE if isinstance(view.value, (tuple, list)) and len(view.value) == wanted else FALSE
    return UNKNOWN if view.kind in ("unknown", "sequence") else FALSE
