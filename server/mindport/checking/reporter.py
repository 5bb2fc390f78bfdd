"""The findings of one file, from version to version: command line and language server have them from here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from mindport.checking.analysis import Analysed
from mindport.checking.engine import Engine
from mindport.checking.findings import PathOf, Subject, findings_about
from mindport.checking.suppression import UNUSED, Idle, apply_suppressions, find_suppressions
from mindport.config.rule_filter import RuleFilter
from mindport.model.finding import Finding, Severity


class Reported(msgspec.Struct, frozen=True):
    """The findings of a file in the order of their places, how many more comments suppress, and the comments that
    suppress nothing."""

    findings: tuple[Finding, ...]
    suppressed: int
    idle: tuple[Idle, ...] = ()


class Reporter:
    """Reports the versions of one file. A subject that is the same object as in the version before has the same
    findings, so a version costs what is new in it."""

    def __init__(self, engine: Engine, rules: RuleFilter, path: str, path_of: PathOf = str) -> None:
        self._engine = engine
        self._rules = rules
        self._path = path
        self._path_of = path_of
        # The subject is kept with its findings: an identity is good only while the object lives.
        self._known: dict[int, tuple[Subject, list[Finding]]] = {}

    def report(self, file: Analysed, text: str, *, numbers_uses: bool = False) -> Reported:
        """The findings of a version, as suppression comments and settings leave them. `numbers_uses`: whether they say
        which use of FileUsage.uses they are about; else those of a use that only moved are equal to what they were."""
        known, present = self._known, dict[int, tuple[Subject, list[Finding]]]()
        uses = len(file.usage.uses) if numbers_uses else 0
        raw: list[Finding] = []
        with self._engine.speaking():
            for index, subject in enumerate(_subjects(file)):
                key = id(subject)
                entry = known.get(key)
                if entry is None:
                    entry = (subject, findings_about(subject, self._engine, self._path_of))
                present[key] = entry
                found = entry[1]
                if found and index < uses:
                    found = [msgspec.structs.replace(one, use_index=index) for one in found]
                raw += found
        self._known = present
        raw.sort(key=lambda finding: (finding.span, finding.rule))
        left = apply_suppressions(raw, find_suppressions(text), self._engine.today)
        kept = reported(left.findings, self._rules, self._path)
        told = {finding.span for finding in kept if finding.rule == UNUSED} if left.idle else ()
        return Reported(kept, left.count, tuple(one for one in left.idle if one.span in told))


def _subjects(file: Analysed) -> Iterator[Subject]:
    """Everything in a file that a rule may have something to say of."""
    yield from file.usage.uses
    yield from file.links
    yield from file.usage.mindspore
    yield from file.usage.places
    yield from file.called
    yield from file.training.left
    yield from file.problems


def reported(findings: Iterable[Finding], rules: RuleFilter, path: str) -> tuple[Finding, ...]:
    """What the settings leave of the findings, with the severities that they give."""
    kept: list[Finding] = []
    # A file has thousands of findings and a handful of codes.
    answers: dict[tuple[str, int], Severity | None] = {}
    for finding in findings:
        key = (finding.rule, finding.severity)
        if key not in answers:
            severity = rules.severity(finding.rule, finding.severity)
            answers[key] = severity if rules.is_reported(finding.rule, severity, path) else None
        answer = answers[key]
        if answer is finding.severity:
            kept.append(finding)
        elif answer is not None:
            kept.append(msgspec.structs.replace(finding, severity=answer))
    return tuple(kept)
