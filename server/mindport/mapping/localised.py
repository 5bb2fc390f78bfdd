"""A mapping with its sentences in the language in force, so that everything made from it speaks that language."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from mindport.mapping.schema import ArgumentRule, Case, Mapping
from mindport.model.language import in_force, translated


def localised(mapping: Mapping) -> Mapping:
    """The mapping with every sentence translated that has a translation; itself where English is spoken."""
    if in_force() is None:
        return mapping
    cases = [_localised(case) for case in mapping.cases]
    return msgspec.structs.replace(mapping, summary=translated(mapping.summary), cases=cases)


def sentences(mapping: Mapping) -> Iterator[str]:
    """What `localised` translates, in the order of the file."""
    yield mapping.summary
    for case in mapping.cases:
        yield from filter(None, (case.silent, case.why, case.deprecated, *case.differences, *case.tried))
        for rule in case.args.values():
            if isinstance(rule, ArgumentRule) and rule.report:
                yield rule.report


def _localised(case: Case) -> Case:
    return msgspec.structs.replace(
        case,
        silent=translated(case.silent) if case.silent else case.silent,
        why=translated(case.why),
        differences=[translated(one) for one in case.differences],
        tried=[translated(one) for one in case.tried],
        args={name: _rule(rule) for name, rule in case.args.items()},
    )


def _rule(rule: str | ArgumentRule) -> str | ArgumentRule:
    if isinstance(rule, str) or not rule.report:
        return rule
    return msgspec.structs.replace(rule, report=translated(rule.report))
