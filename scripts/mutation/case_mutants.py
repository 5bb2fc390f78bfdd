"""Mutants of a case of a mapping: what it writes, and the conditions under which it writes it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindport.mapping.match import SIGNS
from mindport.mapping.schema import ArgumentRule, Case, Condition, Predicate
from mindport.mapping.template import DECORATED, INTO_OPERAND
from mindport.rewrite.left_out import LEFT_OUT
from mutation.code_mutants import code_mutants

_HOLE = re.compile(r"\$(\*?)([A-Za-z_]\w*)")
_NOT_CODE = (DECORATED, INTO_OPERAND, LEFT_OUT)
_OF_PROJECTS = frozenset(f"${sign}" for sign in SIGNS)  # asked of whole files, of which an example is none


class CaseMutant(NamedTuple):
    """A case with one change of a `kind`, which `change` tells of."""

    kind: str
    change: str
    case: Case


def case_mutants(case: Case, targets: Sequence[str]) -> Iterator[CaseMutant]:
    """All mutants of a case; `targets` are the MindSpore names that cases call."""
    replace = msgspec.structs.replace
    if case.call is not None and case.verdict != "same":  # of which nothing is written
        other = sibling(case.call, targets)
        if other:
            yield CaseMutant("target", f"{case.call} -> {other}", replace(case, call=other))
    for name in case.add:
        rest = {key: text for key, text in case.add.items() if key != name}
        yield CaseMutant("keyword dropped", f"add.{name}", replace(case, add=rest))
    for name, rule in case.args.items():
        yield from _rule_mutants(case, name, rule)
    if case.rewrite is not None and case.rewrite not in _NOT_CODE:
        filled = _HOLE.sub(r"\1hole_\2", case.rewrite.strip())
        for mutant in code_mutants(filled):
            new = re.sub(r"(\*?)\bhole_(\w+)", r"$\1\2", mutant.text())
            yield CaseMutant(mutant.kind, f"rewrite: {mutant.change}", replace(case, rewrite=new))
    for name, condition in case.when.items():
        if name in _OF_PROJECTS:
            continue
        # What writes into a receiver that stands somewhere is right for one that nobody sees, too.
        if (name, condition) != ("$new", False):
            rest_of = {key: other for key, other in case.when.items() if key != name}
            yield CaseMutant("case: condition dropped", f"when.{name}", replace(case, when=rest_of))
        negated = negation(condition)
        if negated is not None:
            when = {**case.when, name: negated}
            yield CaseMutant("case: condition negated", f"when.{name}", replace(case, when=when))


def sibling(target: str, targets: Sequence[str]) -> str:
    """The name most like `target` in the same module; empty where there is none."""
    module = target.rpartition(".")[0]
    others = [one for one in targets if one.rpartition(".")[0] == module and one != target]
    return next(iter(difflib.get_close_matches(target, others, 1, 0.0)), "")


def negation(condition: Condition) -> Condition | None:
    """The condition that holds where this one does not; None where no single one says that."""
    if not isinstance(condition, Predicate):
        return Predicate(not_in=[condition])
    keys = [key for key in condition.__struct_fields__ if getattr(condition, key) is not msgspec.UNSET]
    if len(keys) != 1:
        return None
    match keys[0], getattr(condition, keys[0]):
        case "equals", value:
            return Predicate(not_in=[value])
        case "one_of", values:
            return Predicate(not_in=values)
        case "not_in", values:
            return Predicate(one_of=values)
        case ("passed" | "literal" | "holds_tensors") as key, value:
            return Predicate(**{key: not value})
    return None


def _rule_mutants(case: Case, name: str, rule: str | ArgumentRule) -> Iterator[CaseMutant]:
    def with_rule(kind: str, change: str, **changes: object) -> CaseMutant:
        assert isinstance(rule, ArgumentRule)
        new = msgspec.structs.replace(rule, **changes)
        args = {**case.args, name: new}
        return CaseMutant(kind, f"args.{name}.{change}", msgspec.structs.replace(case, args=args))

    if isinstance(rule, str) or rule.to is not None:
        rest = {key: other for key, other in case.args.items() if key != name}
        yield CaseMutant("keyword dropped", f"args.{name}", msgspec.structs.replace(case, args=rest))
    if isinstance(rule, str):
        return
    if rule.default is not None:
        yield with_rule("default", f"default: {rule.default} dropped", default=None)
        for mutant in code_mutants(rule.default):
            yield with_rule("default", f"default: {mutant.change}", default=mutant.text())
    if rule.convert is not None:
        yield with_rule("conversion dropped", f"convert: {rule.convert}", convert=None)
    if rule.values:
        yield with_rule("conversion dropped", "values", values={})
