"""The conditions of a case in words."""

from __future__ import annotations

from typing import Any

import msgspec

from mindport.mapping.schema import Case, Condition, Predicate

_RESULTS = {
    "discarded": "the result is not used",
    "unpacked": "the result is unpacked",
    "indexed": "the result is indexed",
    "attribute": "a field of the result is read",
    "other": "the result is used as a whole",
}
_KINDS = {
    "none": "None",
    "int": "an int",
    "sequence": "a sequence",
    "other": "of another type",
    "dtype": "a dtype",
    "str": "a string",
}


def in_words(case: Case) -> str:
    """`dim is 0 and out is not passed`; empty for a case without conditions."""
    return " and ".join(_one(name, condition) for name, condition in case.when.items())


def _one(name: str, condition: Condition) -> str:
    if name == "$result":
        return _result(condition)
    if name == "$call":
        return "it is called" if condition is True else "it is not called"
    shown = f"`{name}`"
    if not isinstance(condition, Predicate):
        return f"{shown} is {literal(condition)}"
    parts: list[str] = []
    if condition.passed is not msgspec.UNSET:
        parts.append(f"{shown} is passed" if condition.passed else f"{shown} is left out")
    if condition.equals is not msgspec.UNSET:
        parts.append(f"{shown} is {literal(condition.equals)}")
    if isinstance(condition.one_of, list):
        parts.append(f"{shown} is {_alternatives(condition.one_of)}")
    if isinstance(condition.not_in, list):
        parts.append(f"{shown} is not {_alternatives(condition.not_in)}")
    if isinstance(condition.kind, (str, list)):
        kinds = [condition.kind] if isinstance(condition.kind, str) else condition.kind
        parts.append(f"{shown} is {' or '.join(_KINDS.get(kind, f'a {kind}') for kind in kinds)}")
    if condition.literal is not msgspec.UNSET:
        word = "written as a literal" if condition.literal else "computed"
        parts.append(f"{shown} is {word}")
    if condition.at_least is not msgspec.UNSET:
        parts.append(f"{shown} is at least {condition.at_least:g}")
    if condition.at_most is not msgspec.UNSET:
        parts.append(f"{shown} is at most {condition.at_most:g}")
    if condition.length is not msgspec.UNSET:
        parts.append(f"{shown} has {condition.length} elements")
    return " and ".join(parts)


def _result(condition: Condition) -> str:
    if not isinstance(condition, Predicate):
        return _RESULTS.get(str(condition), str(condition))
    if isinstance(condition.one_of, list):
        return " or ".join(_RESULTS.get(str(word), str(word)) for word in condition.one_of)
    if isinstance(condition.not_in, list):
        return "not: " + " or ".join(_RESULTS.get(str(word), str(word)) for word in condition.not_in)
    return _RESULTS.get(str(condition.equals), str(condition.equals))


def _alternatives(values: list[Any]) -> str:
    shown = [literal(value) for value in values]
    if len(shown) > 5:
        shown = [*shown[:4], f"one of {len(shown) - 4} more"]
    return " or ".join(shown)


def literal(value: Any) -> str:
    """A value of a condition as Python writes it."""
    if isinstance(value, list):
        return "(" + ", ".join(literal(item) for item in value) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, str):
        return value if value.startswith("torch.") else repr(value)
    return repr(value)
