"""Puts the report of one file together: its findings, and the best that may be done about each."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from mindport.checking.analysis import Analysed
from mindport.checking.conversion import Conversion
from mindport.checking.counting import IMPORT_LINES, is_data_code, kind_apart
from mindport.checking.engine import Assessment, Engine, fix_of
from mindport.checking.findings import PathOf, problem_finding
from mindport.checking.fixed_shapes import shape_fix_of, shape_fixes
from mindport.checking.outcome import FileReport, Tally
from mindport.checking.reporter import Reporter, reported
from mindport.checking.writable import as_writable, depends_on_text
from mindport.config.rule_filter import RuleFilter
from mindport.model.finding import Finding
from mindport.source.lines import LineIndex
from mindport.source.notebook import cells_of
from mindport.source.problem import Problem
from mindport.usage.api_use import ApiUse

_LONGEST_SOURCE = 200  # characters of a line; generated code has lines of megabytes


def unreadable_report(path: str, problem: Problem, rules: RuleFilter, engine: Engine) -> FileReport:
    """The report of a file that could not be read at all."""
    with engine.speaking():
        kept = reported([problem_finding(problem)], rules, path)
    return FileReport(path, kept, (None,) * len(kept), is_readable=False)


def check_file(
    file: Analysed,
    text: str,
    engine: Engine,
    rules: RuleFilter,
    path_of: PathOf = str,
    conversion: Conversion | None = None,
) -> FileReport:
    """The report of a file that was read. `path_of` gives the name under which the user knows a file; `conversion` is
    what happens to the files of its part together, of a file alone where nothing is said."""
    usage = file.usage
    assessments = _assessments(usage.uses, text, engine)
    done = Reporter(engine, rules, file.path, path_of).report(file, text, numbers_uses=True)
    conversion = conversion or Conversion([file])
    met = {finding.use_index for finding in done.findings}
    for index, fix in conversion.fixed_with_steps(file, text, met, engine).items():
        assessments[index] = msgspec.structs.replace(assessments[index], fix=fix)
    shapes = shape_fixes(text, usage, engine)
    fixes = tuple(
        conversion.fix(file.path, fix_of(finding, assessments[finding.use_index]))
        if finding.use_index >= 0
        else conversion.fix_of_step(finding, file) or shape_fix_of(finding, shapes, engine)
        for finding in done.findings
    )
    tallies = _tallies(usage.uses, assessments, file.data)
    sources = _sources(done.findings, text)
    return FileReport(
        file.path,
        done.findings,
        fixes,
        tallies,
        done.suppressed,
        cells=cells_of(text),
        sources=sources,
        idle=done.idle,
    )


def _sources(findings: Sequence[Finding], text: str) -> tuple[str, ...]:
    """The line that each finding begins on, without what depends on its indentation and spacing."""
    if not findings:
        return ()
    lines = LineIndex(text)
    of_line: dict[int, str] = {}  # findings of one line share its text
    for finding in findings:
        line = finding.span.line
        if line not in of_line:
            of_line[line] = " ".join(lines.line_text(line).split())[:_LONGEST_SOURCE]
    return tuple(of_line[finding.span.line] for finding in findings)


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


def _tallies(
    uses: Sequence[ApiUse], assessments: Sequence[Assessment], data: Collection[str]
) -> tuple[Tally, ...]:
    """How often each name is used with the same answer; import lines follow from the uses and are none. Equal uses
    share their assessment, so most are counted by its identity."""
    counts: dict[tuple[int, str], int] = {}
    first: dict[tuple[int, str], int] = {}
    for index, assessment in enumerate(assessments):
        apart = kind_apart(uses[index], is_data=is_data_code(uses[index], data))
        if apart == IMPORT_LINES:
            continue
        key = (id(assessment), apart)
        if key in counts:
            counts[key] += 1
        else:
            counts[key] = 1
            first[key] = index
    merged: dict[tuple[str, int, int, str], Tally] = {}
    for key, index in first.items():
        verdict, fix = assessments[index].judgement.verdict, assessments[index].fix
        name = (uses[index].api, id(verdict), id(fix), key[1])  # enum members and None are single objects
        before = merged[name].count if name in merged else 0
        merged[name] = Tally(uses[index].api, verdict, fix, before + counts[key], key[1])
    return tuple(merged.values())
