"""Puts the report of one file together: findings of the uses and of reading, suppressions, settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from mindport.check.engine import Assessment, Engine, findings_of, fix_of
from mindport.check.fixed_shapes import shape_fix_of, shape_fixes
from mindport.check.outcome import FileReport, Tally
from mindport.check.suppression import apply_suppressions, find_suppressions
from mindport.check.training import TrainingSteps, fixed_with_steps, whole_steps
from mindport.check.writable import as_writable, depends_on_text
from mindport.config.rule_filter import RuleFilter
from mindport.model.finding import Finding, Severity
from mindport.source.lines import LineIndex
from mindport.source.notebook import cells_of
from mindport.source.problem import Problem, ProblemKind
from mindport.usage.api_use import ApiUse, FileUsage, Form
from mindport.usage.places import CalledPlace
from mindport.usage.regions.link import Link

_RULES = {
    ProblemKind.SYNTAX: ("MP901", Severity.ERROR),
    ProblemKind.TOO_DEEP: ("MP901", Severity.ERROR),
    ProblemKind.TOO_LARGE: ("MP905", Severity.WARNING),
    ProblemKind.INTERNAL: ("MP903", Severity.WARNING),
    # Nothing is lost by a link in a circle: what it leads to is found under another name.
    ProblemKind.LOOP: ("MP902", Severity.INFORMATION),
}
_NO_STEPS = TrainingSteps()
_UNREADABLE = ("MP902", Severity.ERROR)


def problem_finding(problem: Problem) -> Finding:
    """The finding that says what kept a path, a file or a part of one from being read, in the language in force."""
    code, severity = _RULES.get(problem.kind, _UNREADABLE)
    return Finding(code, severity, problem.span, problem.message)


def unreadable_report(path: str, problem: Problem, rules: RuleFilter, engine: Engine) -> FileReport:
    """The report of a file that could not be read at all."""
    with engine.speaking():
        kept = reported([problem_finding(problem)], rules, path)
    return FileReport(path, kept, (None,) * len(kept), is_readable=False)


def check_usage(
    usage: FileUsage,
    text: str,
    engine: Engine,
    rules: RuleFilter,
    path: str = "",
    problems: Iterable[Problem] = (),
    links: Sequence[Link] = (),
    path_of: Callable[[str], str] = str,
    training: TrainingSteps = _NO_STEPS,
    called: Sequence[CalledPlace] = (),
) -> FileReport:
    """The report of a file that was read. `problems` are the parts of it that did not parse, `links` the APIs in it
    that a gradient of a gradient goes through, `training` its training steps, `called` what matters in it because
    compiled functions call it; `path_of` gives the name under which the user knows a file."""
    assessments = _assessments(usage.uses, text, engine)
    raw: list[Finding] = []
    for index, assessment in enumerate(assessments):
        if assessment.notes:
            raw += findings_of(usage.uses[index], assessment, index)
    raw += engine.link_findings(links, path_of)
    raw += engine.mindspore_findings(usage.mindspore)
    raw += engine.place_findings(usage.places)
    raw += engine.called_findings(called, path_of)
    raw += training.findings
    with engine.speaking():
        raw += [problem_finding(problem) for problem in problems]
    left = apply_suppressions(_in_order(raw), find_suppressions(text))
    kept = reported(left.findings, rules, path)
    steps = whole_steps(training.rewrites, {finding.use_index for finding in kept}, usage, engine)
    for index, fix in fixed_with_steps(steps, usage, engine).items():
        assessments[index] = msgspec.structs.replace(assessments[index], fix=fix)
    shapes = shape_fixes(text, usage, engine)
    fixes = tuple(
        shape_fix_of(finding, shapes, engine)
        if finding.use_index < 0
        else fix_of(finding, assessments[finding.use_index])
        for finding in kept
    )
    tallies = _tallies(usage.uses, assessments)
    return FileReport(path, kept, fixes, tallies, left.count, cells=cells_of(text))


def _assessments(uses: Sequence[ApiUse], text: str, engine: Engine) -> list[Assessment]:
    lines: LineIndex | None = None
    found = []
    for use in uses:
        assessment = engine.assess(use)
        if depends_on_text(assessment):
            lines = lines or LineIndex(text)
            assessment = as_writable(use, assessment, lines, engine)
        found.append(assessment)
    return found


def raw_findings(usage: FileUsage, engine: Engine) -> list[Finding]:
    """The findings of a file's uses in the order of their places, before suppressions and settings."""
    return _in_order(engine.findings(usage.uses))


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


def _in_order(findings: list[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: (finding.span, finding.rule))


def _tallies(uses: Sequence[ApiUse], assessments: Sequence[Assessment]) -> tuple[Tally, ...]:
    """How often each name is used with the same answer; import lines follow from the uses and are none. Equal uses
    share their assessment, so most are counted by its identity."""
    counts: dict[int, int] = {}
    first: dict[int, int] = {}
    for index, assessment in enumerate(assessments):
        if uses[index].form is Form.IMPORT:
            continue
        key = id(assessment)
        if key in counts:
            counts[key] += 1
        else:
            counts[key] = 1
            first[key] = index
    merged: dict[tuple[str, int, int], Tally] = {}
    for key, index in first.items():
        verdict, fix = assessments[index].judgement.verdict, assessments[index].fix
        name = (uses[index].api, id(verdict), id(fix))  # enum members and None are single objects
        before = merged[name].count if name in merged else 0
        merged[name] = Tally(uses[index].api, verdict, fix, before + counts[key])
    return tuple(merged.values())
