"""Puts the report of one file together: findings of the uses and of reading, suppressions, settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from mindport.check.engine import Engine
from mindport.check.outcome import FileReport, Tally
from mindport.check.suppression import apply_suppressions, find_suppressions
from mindport.config.rule_filter import RuleFilter
from mindport.model.finding import Finding, Severity
from mindport.model.verdict import Applicability, Verdict
from mindport.source.problem import Problem, ProblemKind
from mindport.usage.api_use import ApiUse, FileUsage

_CODES = {ProblemKind.SYNTAX: "MP901", ProblemKind.TOO_LARGE: "MP905"}
_UNREADABLE = "MP902"


def problem_finding(problem: Problem) -> Finding:
    """The finding that says what kept a file, or a part of it, from being read."""
    code = _CODES.get(problem.kind, _UNREADABLE)
    severity = Severity.WARNING if problem.kind is ProblemKind.TOO_LARGE else Severity.ERROR
    return Finding(code, severity, problem.span, problem.message)


def unreadable_report(path: str, problem: Problem, rules: RuleFilter) -> FileReport:
    """The report of a file that could not be read at all."""
    kept = reported([problem_finding(problem)], rules, path)
    return FileReport(path, kept, (None,) * len(kept), is_readable=False)


def check_usage(
    usage: FileUsage,
    text: str,
    engine: Engine,
    rules: RuleFilter,
    path: str = "",
    problems: Iterable[Problem] = (),
) -> FileReport:
    """The report of a file that was read. `problems` are the parts of it that did not parse."""
    left = apply_suppressions(raw_findings(usage, engine, problems), find_suppressions(text))
    kept = reported(left.findings, rules, path)
    fixes = tuple(engine.fix_of(finding, usage.uses) for finding in kept)
    return FileReport(path, kept, fixes, tallies(usage.uses, engine), left.count)


def raw_findings(usage: FileUsage, engine: Engine, problems: Iterable[Problem] = ()) -> list[Finding]:
    """All findings of a file in the order of their places, before suppressions and settings."""
    raw = engine.findings(usage.uses)
    raw += [problem_finding(problem) for problem in problems]
    raw.sort(key=lambda finding: (finding.span, finding.rule))
    return raw


def reported(findings: Iterable[Finding], rules: RuleFilter, path: str) -> tuple[Finding, ...]:
    """What the settings leave of the findings, with the severities that they give."""
    kept = []
    for finding in findings:
        severity = rules.severity(finding.rule, finding.severity)
        if not rules.is_reported(finding.rule, severity, path):
            continue
        if severity is not finding.severity:
            finding = msgspec.structs.replace(finding, severity=severity)
        kept.append(finding)
    return tuple(kept)


def tallies(uses: Iterable[ApiUse], engine: Engine) -> tuple[Tally, ...]:
    """How often each name is used with the same answer."""
    counts: Counter[tuple[str, Verdict, Applicability | None]] = Counter()
    for use in uses:
        assessment = engine.assess(use)
        counts[use.api, assessment.judgement.verdict, assessment.fix] += 1
    return tuple(Tally(api, verdict, fix, count) for (api, verdict, fix), count in counts.items())
