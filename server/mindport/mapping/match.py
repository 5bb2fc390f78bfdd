"""Chooses between the cases of a mapping for one bound use: the first true one, or all that may apply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from mindport.mapping.bind import Binding, BoundOverload
from mindport.mapping.condition import FALSE, TRUE, UNKNOWN, all_of, evaluate
from mindport.mapping.schema import Case, Condition, Predicate
from mindport.model.verdict import Certainty
from mindport.usage.api_use import ResultUse


class Match(msgspec.Struct, frozen=True):
    """The answer: `chosen` is the index of the one case that applies, or -1; `possible` the indexes of all
    that may apply where it depends on `depends_on`."""

    chosen: int = -1
    possible: tuple[int, ...] = ()
    depends_on: tuple[str, ...] = ()


def match_cases(
    cases: Sequence[Case], candidates: Iterable[int], binding: Binding, result: ResultUse
) -> Match:
    """Go through the candidate cases in order. One that is true ends the search; where it covers the others it is the
    answer even if one of those may hold."""
    possible: list[int] = []
    depends_on: list[str] = []
    for index in candidates:
        case = cases[index]
        if not case.when:
            certainty, unknown = TRUE, list[str]()
        else:
            certainty, unknown = evaluate_when(case.when, binding, result)
        if certainty is TRUE:
            if not possible or case.covers:
                return Match(index)
            possible.append(index)
            break
        if certainty is UNKNOWN:
            possible.append(index)
            depends_on += [name for name in unknown if name not in depends_on]
    return Match(-1, tuple(possible), tuple(depends_on))


def evaluate_when(
    when: dict[str, Condition], binding: Binding, result: ResultUse
) -> tuple[Certainty, list[str]]:
    """Whether all conditions hold, and the names that keep it from being known. Over several possible
    overloads the answer is known only if they agree."""
    overloads: Sequence[BoundOverload | None] = binding.overloads or (None,)
    answers: set[Certainty] = set()
    unknown: list[str] = []
    for overload in overloads:
        single = []
        for name, condition in when.items():
            answer = _holds(name, condition, binding, overload, result)
            single.append(answer)
            if answer is UNKNOWN and name not in unknown:
                unknown.append(name)
        answers.add(all_of(single))
    if len(answers) == 1:
        (answer,) = answers
        return answer, unknown if answer is UNKNOWN else []
    return UNKNOWN, unknown or list(when)


# What `ApiUse.signs` may have, each asked for by a condition of its name: `$complex`.
SIGNS = (
    "bits",
    "complex",
    "cut",
    "doubles",
    "emptiness",
    "empty",
    "entries",
    "few_axes",
    "former",
    "forward",
    "gradients",
    "indices",
    "infinite",
    "inherited",
    "inner",
    "kernels",
    "lengths",
    "lists",
    "mask",
    "masks",
    "mixed",
    "modes",
    "names",
    "overwritten",
    "parameter",
    "rates",
    "reread",
    "ruled_out",
    "saturated",
    "seeds",
    "selected",
    "settings",
    "several",
    "shared",
    "sized",
    "squeezed",
    "tables",
    "statistics",
    "torch",
    "unbiased",
    "unfrozen",
    "viewed",
    "zeros",
)
# Conditions that ask where a use stands: true or false of the use as a whole.
KINDS_OF_USE = frozenset(
    ("$annotation", "$call", "$module", "$new", "$optimizer", *(f"${sign}" for sign in SIGNS))
)


def _holds(
    name: str, condition: Condition, binding: Binding, overload: BoundOverload | None, result: ResultUse
) -> Certainty:
    if name == "$result":
        return _result_is(condition, result)
    if name in KINDS_OF_USE:
        return TRUE  # judging passes over the cases that are for the other kind of use
    return evaluate(condition, binding.view(overload, name))


def _result_is(condition: Condition, result: ResultUse) -> Certainty:
    """What becomes of the value is always seen, so there is no third answer here."""
    word = result.value
    if not isinstance(condition, Predicate):
        return TRUE if condition == word else FALSE
    if condition.equals is not msgspec.UNSET and condition.equals != word:
        return FALSE
    if isinstance(condition.one_of, list) and word not in condition.one_of:
        return FALSE
    if isinstance(condition.not_in, list) and word in condition.not_in:
        return FALSE
    return TRUE
