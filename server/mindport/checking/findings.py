"""What findings are about, and the findings about each: one function for every kind of subject."""

from __future__ import annotations

import logging
from collections.abc import Callable

import msgspec

from mindport.checking.engine import Engine
from mindport.checking.training import StepLeft
from mindport.model.finding import Finding, RelatedPlace, Severity
from mindport.model.language import later, say
from mindport.model.span import Span
from mindport.rules.link import JudgedLink
from mindport.source.problem import Problem, ProblemKind
from mindport.usage.api_use import ApiUse
from mindport.usage.mindspore_uses import MindSporeUse
from mindport.usage.places import CalledPlace, CodePlace
from mindport.usage.regions.link import ChainLink, LinkKind

_LOG = logging.getLogger(__name__)

Subject = ApiUse | ChainLink | MindSporeUse | CodePlace | CalledPlace | StepLeft | Problem
PathOf = Callable[[str], str]  # the name under which the user knows a file of the project

_PROBLEMS = {
    ProblemKind.SYNTAX: ("MP901", Severity.ERROR),
    ProblemKind.TOO_DEEP: ("MP901", Severity.ERROR),
    ProblemKind.TOO_LARGE: ("MP905", Severity.WARNING),
    ProblemKind.INTERNAL: ("MP903", Severity.WARNING),
    # Nothing is lost by a link in a circle: what it leads to is found under another name.
    ProblemKind.LOOP: ("MP902", Severity.INFORMATION),
}
_UNREADABLE = ("MP902", Severity.ERROR)
_STEPS = {
    LinkKind.DIFFERENTIATED: later("the gradient of a gradient is taken here, by {name}"),
    LinkKind.CALLED: later("{name} is called here"),
    LinkKind.APPLIED: later("{name} is applied here"),
}


def findings_about(subject: Subject, engine: Engine, path_of: PathOf = str) -> list[Finding]:
    """The findings about one subject of a file, before suppressions and settings, in the language in force. A rule or
    judgement that fails says so in a finding of its own."""
    return _FINDINGS[type(subject)](subject, engine, path_of)


def problem_finding(problem: Problem) -> Finding:
    """The finding that says what kept a path, a file or a part of one from being read, in the language in force."""
    code, severity = _PROBLEMS.get(problem.kind, _UNREADABLE)
    return Finding(code, severity, problem.span, problem.message)


def underlined(use: ApiUse) -> Span:
    """The part of a use to mark: the whole name, but of a method or attribute only what follows the dot."""
    return use.span if use.receiver is None else use.name_span


def _of_use(use: ApiUse, engine: Engine, _: PathOf) -> list[Finding]:
    assessment = engine.assess(use)
    if not assessment.notes:
        return []
    depends_on = ", ".join(assessment.judgement.depends_on)
    return [
        Finding(note.rule, note.severity, underlined(use), note.message, use.api, use.confidence, depends_on)
        for note in assessment.notes
    ]


def _of_link(link: ChainLink, engine: Engine, path_of: PathOf) -> list[Finding]:
    try:
        answer = engine.second_order(link)
        speaker = None if answer is None or link.use.guarded else engine.speakers.of_links.get(answer.outcome)
        if answer is None or speaker is None:
            return []
        rule, check = speaker
        is_certain = link.is_certain and answer.is_always
        severity = rule.severity if is_certain else min(rule.severity, Severity.WARNING)
        message = check(JudgedLink(link, answer))
    except Exception as error:  # noqa: BLE001  one bad link must not hide the others
        _LOG.exception("judging the second order of %s failed", link.use.api)
        note = engine.failure_note(f"judging the second order of {link.use.api}", error)
        return [Finding(note.rule, note.severity, underlined(link.use), note.message, link.use.api)]
    way = tuple(
        RelatedPlace(path_of(place.path), place.span, say(_STEPS[place.step], name=place.name))
        for place in link.chain
    )
    return [
        Finding(
            rule.code,
            severity,
            underlined(link.use),
            message,
            link.use.api,
            link.use.confidence,
            related=way,
        )
    ]


def _of_mindspore(use: MindSporeUse, engine: Engine, _: PathOf) -> list[Finding]:
    notes = (
        engine.asked(rule, rule.severity, use.name, check, use, engine.target, engine.mindspore)
        for rule, check in engine.speakers.of_mindspore
    )
    return [Finding(note.rule, note.severity, use.span, note.message, use.name) for note in notes if note]


def _of_place(place: CodePlace, engine: Engine, _: PathOf) -> list[Finding]:
    target = engine.target
    notes = (
        engine.asked(rule, rule.severity_in(target.mode), place.text, check, place, target)
        for rule, check in engine.speakers.of_places.get(place.topic, ())
    )
    return [Finding(note.rule, note.severity, place.span, note.message) for note in notes if note]


def _of_called_place(called: CalledPlace, engine: Engine, path_of: PathOf) -> list[Finding]:
    way = tuple(
        RelatedPlace(path_of(caller.path), caller.span, _called_by(caller.name, is_compiled=index == 0))
        for index, caller in enumerate(called.callers)
    )
    found = _of_place(called.place, engine, path_of)
    return [msgspec.structs.replace(finding, related=way) for finding in found]


def _called_by(name: str, *, is_compiled: bool) -> str:
    if is_compiled:
        return say("{name} becomes a graph, with all that it calls", name=name)
    return say("{name} is called in that graph", name=name)


def _of_step(step: StepLeft, engine: Engine, _: PathOf) -> list[Finding]:
    target = engine.target
    notes = (
        engine.asked(
            rule,
            rule.severity_in(target.mode),
            "a training step",
            check,
            step.reason,
            step.is_recorded,
            target,
        )
        for rule, check in engine.speakers.of_steps
    )
    return [Finding(note.rule, note.severity, step.span, note.message) for note in notes if note]


def _of_problem(problem: Problem, _: Engine, __: PathOf) -> list[Finding]:
    return [problem_finding(problem)]


_FINDINGS: dict[type[Subject], Callable[..., list[Finding]]] = {
    ApiUse: _of_use,
    ChainLink: _of_link,
    MindSporeUse: _of_mindspore,
    CodePlace: _of_place,
    CalledPlace: _of_called_place,
    StepLeft: _of_step,
    Problem: _of_problem,
}
