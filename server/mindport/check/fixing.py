"""Applies fixes to texts: rounds until nothing changes, each of them parsed again, and never a
half-changed file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from mindport.check.analysis import analyse, full_path, is_config, project_of, read_sources
from mindport.check.engine import Engine
from mindport.check.file_report import check_usage, raw_findings, reported, unreadable_report
from mindport.check.half_converted import whole_calls_only
from mindport.check.outcome import FileFix, FileReport
from mindport.check.suppression import apply_suppressions, find_suppressions
from mindport.check.uncommitted import UncommittedChanges
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.span import Edit
from mindport.model.target import Target
from mindport.model.verdict import Applicability
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose
from mindport.rewrite.pieces import Rewrite
from mindport.rewrite.propose import propose
from mindport.source.lines import LineIndex
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.text import SourceText
from mindport.usage.api_use import FileUsage
from mindport.usage.project import Project

MOST_ROUNDS = 10


class FixedText(msgspec.Struct, frozen=True):
    """A text after its fixes, how many were applied, and the places in FileUsage.uses of those that were fixed in the
    text as it was."""

    text: str
    applied: int = 0
    fixed_uses: frozenset[int] = frozenset()


def fix_paths(
    files: Sequence[str],
    settings: Settings,
    target: Target,
    root: str = ".",
    overlay: dict[str, SourceText] | None = None,
    *,
    unsafe: bool = False,
    allow_dirty: bool = False,
) -> Iterator[FileFix]:
    """Each file before and after its fixes, in the order of `files`; nothing is written. Every file is
    fixed against the others as they were. A file with uncommitted changes is refused unless `allow_dirty`."""
    overlay = overlay or {}
    sources = read_sources(files, settings, root, overlay)
    project = project_of(sources, root)
    engine = Engine(target)
    rules = RuleFilter(settings, root)
    changes = UncommittedChanges()
    for path, source in sources.files:
        if isinstance(source, Problem):
            yield FileFix(path, unreadable_report(path, source, rules), problem=source)
            continue
        file = analyse(path, source, project)
        report = check_usage(file.usage, source.text, engine, rules, path, file.problems)
        if is_config(path):
            yield FileFix(path, report, source, source)
            continue
        if file.problems:
            problem = msgspec.structs.replace(file.problems[0], path=path)
            yield FileFix(path, report, source, source, problem=problem)
            continue
        result = fix_text(path, source, project, engine, rules, unsafe=unsafe)
        reason = None if allow_dirty or path in overlay or not result.applied else changes.reason(path)
        if reason is not None:
            problem = Problem(ProblemKind.CHANGED, reason, FILE_START, path)
            yield FileFix(path, report, source, source, problem=problem)
        else:
            after = source.with_text(result.text)
            yield FileFix(path, what_is_left(report, result.fixed_uses), source, after, result.applied)


def fix_text(
    path: str,
    source: SourceText,
    project: Project,
    engine: Engine,
    rules: RuleFilter,
    *,
    unsafe: bool = False,
) -> FixedText:
    """Apply fixes in rounds until nothing changes. The project has its own text of the file back at the end.

    What rules or suppression comments leave out is not fixed. A round whose result would not parse is not
    made."""
    name = full_path(path)
    text, applied, fixed_uses = source.text, 0, frozenset[int]()
    try:
        for _ in range(MOST_ROUNDS):
            usage = project.usage(name)
            wanted = wanted_rewrites(path, text, usage, engine, rules, unsafe=unsafe)
            edits = compose(text, wanted.values(), usage, path) if wanted else ()
            changed = apply_edits(text, edits, source.newline)
            if changed == text:
                break
            done = _touched(wanted, edits)
            applied += len(done)
            fixed_uses = fixed_uses or done  # the first round speaks of the uses that the user knows
            text = changed
            project.add(name, text)
            if project.problems(name):  # compose parses its result; this is one more lock on the same door
                return FixedText(source.text)
    finally:
        project.add(name, source.text)
    return FixedText(text, applied, fixed_uses)


def wanted_rewrites(
    path: str, text: str, usage: FileUsage, engine: Engine, rules: RuleFilter, *, unsafe: bool = False
) -> dict[int, Rewrite]:
    """The best allowed rewrite of each use that has a reported finding, by the use's place in FileUsage.uses."""
    left = apply_suppressions(raw_findings(usage, engine), find_suppressions(text))
    indexes = dict.fromkeys(
        finding.use_index for finding in reported(left.findings, rules, path) if finding.use_index >= 0
    )
    allowed = (Applicability.SAFE, Applicability.UNSAFE) if unsafe else (Applicability.SAFE,)
    lines = LineIndex(text)
    found: dict[int, Rewrite] = {}
    for index in indexes:
        use = usage.uses[index]
        assessment = engine.assess(use)
        if assessment.fix not in allowed:
            continue
        for rewrite in propose(use, assessment.judgement, lines, engine.torch, engine.mindspore):
            if rewrite.applicability in allowed:
                found[index] = rewrite
                break
    return whole_calls_only(found, usage.uses, engine)


def what_is_left(report: FileReport, fixed_uses: frozenset[int]) -> FileReport:
    """The findings that were not fixed. Taken from the first look at the file: once a part of it is MindSpore code, a
    second look knows less of the values that flow through it."""
    pairs = [
        pair
        for pair in zip(report.findings, report.fixes, strict=True)
        if pair[0].use_index not in fixed_uses
    ]
    return msgspec.structs.replace(
        report,
        findings=tuple(finding for finding, _ in pairs),
        fixes=tuple(fix for _, fix in pairs),
    )


def _touched(rewrites: Mapping[int, Rewrite], edits: Sequence[Edit]) -> frozenset[int]:
    """The uses that an edit lies in. What compose left out keeps its text."""
    return frozenset(
        index
        for index, rewrite in rewrites.items()
        if any(rewrite.span.start <= edit.span.start and edit.span.end <= rewrite.span.end for edit in edits)
    )
