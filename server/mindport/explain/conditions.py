"""The conditions of a case in words."""

from __future__ import annotations

from typing import Any

import msgspec

from mindport.explain.sign_words import sign_words
from mindport.mapping.schema import Case, Condition, Predicate
from mindport.model.language import later, listing, say, translated

_RESULTS = {
    "discarded": later("the result is not used"),
    "unpacked": later("the result is unpacked"),
    "indexed": later("the result is indexed"),
    "attribute": later("a field of the result is read"),
    "written": later("elements of it are written"),
    "assigned": later("it is given another value"),
    "other": later("the result is used as a whole"),
}
_KINDS = {
    "none": later("None"),
    "int": later("an int"),
    "sequence": later("a sequence"),
    "other": later("of another type"),
    "dtype": later("a dtype"),
    "str": later("a string"),
}


def in_words(case: Case) -> str:
    """`dim is 0 and out is not passed`; empty for a case without conditions."""
    return say(" and ").join(_one(name, condition) for name, condition in case.when.items())


def _one(name: str, condition: Condition) -> str:
    if name == "$result":
        return _result(condition)
    stands = sign_words(name, holds=condition is True)
    if stands is not None:
        return stands
    shown = f"`{name}`"
    if not isinstance(condition, Predicate):
        return say("{shown} is {literal}", shown=shown, literal=literal(condition))
    parts: list[str] = []
    if condition.passed is not msgspec.UNSET:
        parts.append(
            say("{shown} is passed", shown=shown)
            if condition.passed
            else say("{shown} is left out", shown=shown)
        )
    if condition.equals is not msgspec.UNSET:
        parts.append(say("{shown} is {literal}", shown=shown, literal=literal(condition.equals)))
    if isinstance(condition.one_of, list):
        parts.append(
            say("{shown} is {alternatives}", shown=shown, alternatives=_alternatives(condition.one_of))
        )
    if isinstance(condition.not_in, list):
        parts.append(
            say("{shown} is not {alternatives}", shown=shown, alternatives=_alternatives(condition.not_in))
        )
    if isinstance(condition.kind, (str, list)):
        kinds = [condition.kind] if isinstance(condition.kind, str) else condition.kind
        parts.append(
            say(
                "{shown} is {kinds}",
                shown=shown,
                kinds=listing([_kind(kind) for kind in kinds], is_choice=True),
            )
        )
    # Whoever says what the value is says that it is written.
    is_named = condition.equals is not msgspec.UNSET or isinstance(condition.one_of, list)
    if condition.literal is not msgspec.UNSET and not (is_named and condition.literal):
        parts.append(
            say("{shown} is written as a literal", shown=shown)
            if condition.literal
            else say("{shown} is computed", shown=shown)
        )
    if condition.at_least is not msgspec.UNSET:
        parts.append(say("{shown} is at least {at_least:g}", shown=shown, at_least=condition.at_least))
    if condition.at_most is not msgspec.UNSET:
        parts.append(say("{shown} is at most {at_most:g}", shown=shown, at_most=condition.at_most))
    if condition.length is not msgspec.UNSET:
        parts.append(say("{shown} has {length} elements", shown=shown, length=condition.length))
    if condition.holds_tensors is not msgspec.UNSET:
        parts.append(
            say("there are tensors in {shown}", shown=shown)
            if condition.holds_tensors
            else say("there are no tensors in {shown}", shown=shown)
        )
    return say(" and ").join(parts)


def _result(condition: Condition) -> str:
    if not isinstance(condition, Predicate):
        return _word(condition)
    if isinstance(condition.one_of, list):
        return say(" or ").join(_word(word) for word in condition.one_of)
    if isinstance(condition.not_in, list):
        return say("not: {results}", results=say(" or ").join(_word(word) for word in condition.not_in))
    return _word(condition.equals)


def _word(result: object) -> str:
    return translated(_RESULTS.get(str(result), str(result)))


def _kind(kind: str) -> str:
    return translated(_KINDS[kind]) if kind in _KINDS else say("a {kind}", kind=kind)


def _alternatives(values: list[Any]) -> str:
    shown = [literal(value) for value in values]
    if len(shown) > 5:
        shown = [*shown[:4], say("one of {count} more", count=len(shown) - 4)]
    return say(" or ").join(shown)


def literal(value: Any) -> str:
    """A value of a condition as Python writes it."""
    if isinstance(value, list):
        return "(" + ", ".join(literal(item) for item in value) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, str):
        return value if value.startswith("torch.") else repr(value)
    return repr(value)
