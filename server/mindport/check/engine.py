"""From typed uses to findings: judges each use once, asks every rule, and keeps a failing rule from taking
the rest down. A pure function of the use and the target, so answers are shared between equal uses."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Mapping, Sequence

import msgspec

from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.judge import judge
from mindport.mapping.judgement import Judgement
from mindport.mapping.plan import MindSporeSide, TorchSide
from mindport.model.finding import Finding, Severity
from mindport.model.span import Span
from mindport.model.target import Target
from mindport.model.verdict import Applicability, Confidence, Verdict
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.rules.discover import all_rules
from mindport.rules.outcome import Outcome, outcome_of
from mindport.rules.rule import Check, Rule
from mindport.rules.wording import first_sentence
from mindport.usage.api_use import ApiUse, Argument, Form

_LOG = logging.getLogger(__name__)

INTERNAL_ERROR = "MP903"
# Findings in which nothing is known well enough to be changed, whatever the judgement would allow.
_WITHOUT_FIX = frozenset(("MP109", "MP111", "MP112", "MP113", "MP114", "MP115", INTERNAL_ERROR))


class Note(msgspec.Struct, frozen=True):
    """What one rule says about a use, apart from the place."""

    rule: str
    severity: Severity
    message: str


class Assessment(msgspec.Struct, frozen=True):
    """The judgement of a use, what the rules say about it, the best that may be done, and why not more."""

    judgement: Judgement
    notes: tuple[Note, ...]
    fix: Applicability | None
    reason: str


class Engine:
    """Assesses uses for one target. Holds what it once worked out; equal uses get the same answer."""

    def __init__(
        self,
        target: Target,
        index: MappingIndex | None = None,
        torch: TorchSide | None = None,
        mindspore: MindSporeSide | None = None,
        rules: Mapping[str, Rule] | None = None,
    ) -> None:
        self.target = target
        self.index = load_index() if index is None else index
        self.torch = torch_facts() if torch is None else torch
        self.mindspore = mindspore_facts(target.version) if mindspore is None else mindspore
        self.rules = all_rules() if rules is None else rules
        self._speakers: dict[Outcome, list[tuple[Rule, Check]]] = {}
        for rule in self.rules.values():
            if rule.outcome is not None and rule.check is not None:
                self._speakers.setdefault(rule.outcome, []).append((rule, rule.check))
        self._assessments: dict[Hashable, Assessment] = {}

    def assess(self, use: ApiUse) -> Assessment:
        """The judgement of a use and the notes of all rules."""
        key = _key(use)
        found = self._assessments.get(key)
        if found is None:
            found = self._assessments[key] = self._assess(use)
        return found

    def findings(self, uses: Sequence[ApiUse], first_index: int = 0) -> list[Finding]:
        """The findings of some uses in their order, before suppressions and settings. `first_index` is the
        place of the first one in FileUsage.uses."""
        found: list[Finding] = []
        for index, use in enumerate(uses, first_index):
            assessment = self.assess(use)
            if assessment.notes:
                found += findings_of(use, assessment, index)
        return found

    def _assess(self, use: ApiUse) -> Assessment:
        try:
            judgement = judge(use, self.target, self.index, self.torch, self.mindspore)
        except Exception as error:  # noqa: BLE001  one bad mapping must not hide a file
            _LOG.exception("judging %s failed", use.api)
            judgement = Judgement(use.api, self.target, Verdict.NOT_JUDGED)
            note = self._internal_note(f"judging {use.api}", error)
            return Assessment(judgement, (note,), None, note.message)
        notes: list[Note] = []
        for rule, check in self._speakers.get(outcome_of(use, judgement), ()):
            try:
                notes.append(Note(rule.code, rule.severity, check(use, judgement)))
            except Exception as error:  # noqa: BLE001  one bad rule must not hide the others
                _LOG.exception("rule %s failed on %s", rule.code, use.api)
                notes.append(self._internal_note(f"rule {rule.code} on {use.api}", error))
        fix, reason = _possible_fix(use, judgement)
        return Assessment(judgement, tuple(notes), fix, reason)

    def _internal_note(self, what: str, error: Exception) -> Note:
        rule = self.rules.get(INTERNAL_ERROR)
        severity = Severity.WARNING if rule is None else rule.severity
        message = f"{what} failed inside mindport: {type(error).__name__}: {error}"
        return Note(INTERNAL_ERROR, severity, message)


def findings_of(use: ApiUse, assessment: Assessment, index: int) -> list[Finding]:
    """The findings of one assessed use, which is the one at `index` of FileUsage.uses."""
    depends_on = ", ".join(assessment.judgement.depends_on)
    return [
        Finding(
            note.rule,
            note.severity,
            underlined(use),
            note.message,
            use.api,
            use.confidence,
            depends_on,
            use_index=index,
        )
        for note in assessment.notes
    ]


def fix_of(finding: Finding, assessment: Assessment) -> Applicability | None:
    """The best that may be done about a finding of an assessed use."""
    return None if finding.rule in _WITHOUT_FIX else assessment.fix


def underlined(use: ApiUse) -> Span:
    """The part of a use to mark: the whole name, but of a method or attribute only what follows the dot."""
    return use.span if use.receiver is None else use.name_span


def _possible_fix(use: ApiUse, judgement: Judgement) -> tuple[Applicability | None, str]:
    """What may be done about the use, and why not more."""
    if use.guarded:
        return None, "guarded: the code is written for two frameworks already"
    if judgement.library:
        return None, f"{judgement.library} is built on torch"
    if use.form is Form.IMPORT:
        return None, "imports follow from the uses"
    if use.confidence is Confidence.GUESSED:
        return None, "the type of the value is a guess"
    if judgement.depends_on:
        return None, f"depends on {', '.join(judgement.depends_on)}, not known here"
    if judgement.verdict is Verdict.SAME and not judgement.silent:
        return None, judgement.no_fix_reason or "works as it is"
    fix = judgement.applicability
    if fix is Applicability.SAFE:
        return fix, ""
    reasons = (
        judgement.no_fix_reason,
        judgement.version_reason,
        judgement.device_reason,
        judgement.silent if fix is None else "",
        judgement.case.why if judgement.case is not None and fix is None else "",
        judgement.documented,
        "not proved by a run on this target" if fix is Applicability.UNSAFE else "",
        "no mapping judges it yet" if judgement.mapping is None else "",
    )
    return fix, first_sentence(next((text for text in reasons if text), ""))


def _key(use: ApiUse) -> Hashable:
    """All of a use that an answer can depend on: everything but the places.

    Enum members are taken by identity: their own hash is written in Python and was a fifth of a whole run."""
    call = use.call
    start = (
        use.api,
        id(use.form),
        id(use.confidence),
        id(use.result),
        use.guarded,
        use.library,
        use.detail,
        use.receiver is None,
        call is None,
    )
    if call is None or not call.arguments:
        return start
    return (start, *[_argument_key(argument) for argument in call.arguments])


def _argument_key(argument: Argument) -> Hashable:
    if not argument.is_literal:
        return (argument.keyword, argument.star, id(argument.kind))
    # repr tells 1, 1.0 and True apart, which are equal as keys.
    return (argument.keyword, argument.star, id(argument.kind), repr(argument.value))
