"""From typed uses to findings: judges each use once, asks every rule, and keeps a failing rule from taking
the rest down. A pure function of the use and the target, so answers are shared between equal uses."""

from __future__ import annotations

import datetime
import functools
import logging
from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager

import msgspec

from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.judge import judge
from mindport.mapping.judgement import Judgement
from mindport.mapping.plan import MindSporeSide, TorchSide
from mindport.mapping.second_order import SecondOrder, judge_second_order
from mindport.mapping.second_order_side import SecondOrderSide
from mindport.model.finding import Finding, Severity
from mindport.model.language import Language, say, speaking
from mindport.model.target import Target
from mindport.model.verdict import Applicability, Confidence, Verdict
from mindport.registry.bprops import SecondOrderFacts, second_order_facts
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.texts import translations
from mindport.registry.torch import torch_facts
from mindport.rules.discover import all_rules
from mindport.rules.outcome import outcome_of
from mindport.rules.rule import Rule
from mindport.rules.speakers import Speakers
from mindport.rules.wording import first_sentence
from mindport.usage.api_use import ApiUse, Argument, Form
from mindport.usage.regions.link import ChainLink

_LOG = logging.getLogger(__name__)

INTERNAL_ERROR = "MP903"
FEATURE_ADVICE = "MP7"
# Findings in which nothing is known well enough to be changed, whatever the judgement would allow.
_WITHOUT_FIX = frozenset(("MP109", "MP111", "MP112", "MP113", "MP114", INTERNAL_ERROR))


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
    """Assesses uses for one target, in one language. Holds what it once worked out; equal uses get the same answer.
    `today` is the day that suppression comments with a last day are held against."""

    def __init__(
        self,
        target: Target,
        index: MappingIndex | None = None,
        torch: TorchSide | None = None,
        mindspore: MindSporeSide | None = None,
        rules: Mapping[str, Rule] | None = None,
        language: Language = "en",
        today: datetime.date | None = None,
    ) -> None:
        self.target = target
        self._today = today
        self.language: Language = language
        self.index = load_index() if index is None else index
        self.torch = torch_facts() if torch is None else torch
        self.mindspore = mindspore_facts(target.version) if mindspore is None else mindspore
        self.rules = all_rules() if rules is None else rules
        self.speakers = Speakers(self.rules.values())
        self._assessments: dict[Hashable, Assessment] = {}
        self._second_orders: dict[Hashable, SecondOrder | None] = {}

    def assess(self, use: ApiUse) -> Assessment:
        """The judgement of a use and the notes of all rules."""
        key = _key(use)
        found = self._assessments.get(key)
        if found is None:
            with self.speaking():
                found = self._assessments[key] = self._assess(use)
        return found

    @property
    def today(self) -> datetime.date:
        """The day that the engine was made for, else that of now: a server lives through many."""
        return self._today or datetime.date.today()

    def speaking(self) -> AbstractContextManager[None]:
        """Inside, texts are made in the language of this engine."""
        return speaking(translations(self.language))

    def second_order(self, link: ChainLink) -> SecondOrder | None:
        """What a gradient of a gradient does at an API on a link; None where the API has no counterpart at all."""
        key = (_key(link.use), link.is_compiled, link.is_wide, link.rank, link.is_last, link.index)
        if key not in self._second_orders:
            self._second_orders[key] = self.second_order_by(link, self.second_order_facts)
        return self._second_orders[key]

    def second_order_by(self, link: ChainLink, facts: SecondOrderSide) -> SecondOrder | None:
        """The same by other facts than those that ship."""
        is_torch = link.use.api and not link.use.api.startswith("mindspore.")
        judgement = self.assess(link.use).judgement if is_torch else None
        with self.speaking():
            return judge_second_order(link, judgement, self.target, facts, self.mindspore, self.torch)

    @functools.cached_property
    def second_order_facts(self) -> SecondOrderFacts:
        """What is known of second-order gradients in the target's version; read when first asked for."""
        return second_order_facts(self.target.version)

    def _assess(self, use: ApiUse) -> Assessment:
        try:
            judgement = judge(use, self.target, self.index, self.torch, self.mindspore)
        except Exception as error:  # noqa: BLE001  one bad mapping must not hide a file
            _LOG.exception("judging %s failed", use.api)
            judgement = Judgement(use.api, self.target, Verdict.NOT_JUDGED)
            failed = self.failure_note(f"judging {use.api}", error)
            return Assessment(judgement, (failed,), None, failed.message)
        notes = [
            self.asked(rule, rule.severity, use.api, check, use, judgement)
            for rule, check in self.speakers.of_uses.get(outcome_of(use, judgement), ())
        ]
        if not use.guarded and use.form is not Form.IMPORT:
            notes += [
                self.asked(rule, rule.severity, use.api, check, use, self.target, self.mindspore)
                for rule, check in self.speakers.of_features
            ]
        fix, reason = _possible_fix(use, judgement)
        said = tuple(note for note in notes if note is not None)
        if use.confidence is Confidence.SEEN or judgement.as_seen is not None:
            said = tuple(_as_seen(note, use) for note in said)
        return Assessment(judgement, said, fix, reason)

    def asked(
        self, rule: Rule, severity: Severity, subject: str, check: Callable[..., str], *given: object
    ) -> Note | None:
        """What a rule's check says of a subject, if anything. A check that fails says so, and hides no other."""
        try:
            message = check(*given)
        except Exception as error:  # noqa: BLE001  one bad rule must not hide the others
            _LOG.exception("rule %s failed on %s", rule.code, subject)
            return self.failure_note(f"rule {rule.code} on {subject}", error)
        return Note(rule.code, severity, message) if message else None

    def failure_note(self, what: str, error: Exception) -> Note:
        """What is said where judging something raised an error."""
        rule = self.rules.get(INTERNAL_ERROR)
        severity = Severity.WARNING if rule is None else rule.severity
        message = f"{what} failed inside mindport: {type(error).__name__}: {error}"
        return Note(INTERNAL_ERROR, severity, message)


def _as_seen(note: Note, use: ApiUse) -> Note:
    """A note that rests on a run, with what was seen there."""
    if not use.seen:
        return msgspec.structs.replace(note, message=say("{message} (seen in a run)", message=note.message))
    message = say("{message} (seen in a run: {values})", message=note.message, values=", ".join(use.seen))
    return msgspec.structs.replace(note, message=message)


def fix_of(finding: Finding, assessment: Assessment) -> Applicability | None:
    """The best that may be done about a finding of an assessed use."""
    if finding.rule in _WITHOUT_FIX or finding.rule.startswith(FEATURE_ADVICE):
        return None
    return assessment.fix


def _possible_fix(use: ApiUse, judgement: Judgement) -> tuple[Applicability | None, str]:
    """What may be done about the use, and why not more."""
    if use.guarded:
        return None, say("guarded: the code is written for two frameworks already")
    if judgement.library:
        return None, say("{library} is built on torch", library=judgement.library)
    if use.form is Form.IMPORT:
        return None, say("imports follow from the uses")
    if use.confidence is Confidence.GUESSED:
        return None, say("the type of the value is a guess")
    if use.form is Form.DYNAMIC and judgement.applicability is not None:
        names = ", ".join(judgement.names)
        other = say("it may be another name than {names}", names=names)
        return judgement.applicability, other if names else say("no name of {api} is mentioned", api=use.api)
    if judgement.depends_on:
        return None, say("depends on {names}, not known here", names=", ".join(judgement.depends_on))
    if judgement.verdict is Verdict.SAME and not judgement.silent:
        return None, judgement.no_fix_reason or say("works as it is")
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
        say("not proved by a run on this target") if fix is Applicability.UNSAFE else "",
        say("no mapping judges it yet") if judgement.mapping is None else "",
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
        use.in_module,
        use.runs_in_python,
        use.on_new_tensor,
        use.for_optimizer,
        use.signs,
        use.library,
        use.detail,
        use.names,
        use.seen,
        use.receiver is None,
        call is None,
    )
    if call is None or not call.arguments:
        return start
    return (start, *[_argument_key(argument) for argument in call.arguments])


def _argument_key(argument: Argument) -> Hashable:
    if not argument.is_literal:
        return (
            argument.keyword,
            argument.star,
            id(argument.kind),
            argument.holds_tensors,
            repr(argument.seen),
        )
    # repr tells 1, 1.0 and True apart, which are equal as keys.
    return (argument.keyword, argument.star, id(argument.kind), repr(argument.value))
