"""Applies fixes to texts: rounds until nothing changes, each of them parsed again, and never a half-changed file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from mindport.check.analysis import Sources, analyse, is_config, project_of, read_sources
from mindport.check.components import components
from mindport.check.engine import Engine
from mindport.check.file_report import check_usage, unreadable_report
from mindport.check.fix_round import Fixer, fix_once
from mindport.check.outcome import FileFix, FileReport
from mindport.check.project_evidence import project_index
from mindport.check.taken_names import taken_names
from mindport.check.training import training_findings
from mindport.check.uncommitted import UncommittedChanges
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.target import Target
from mindport.rewrite.idle_statements import without_idle_statements
from mindport.rewrite.optional_imports import with_optional_torch
from mindport.rewrite.ported_imports import with_ported_libraries
from mindport.source.discovery import full_path
from mindport.source.notebook import cells_of, placed_problem
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.text import SourceText
from mindport.usage.project import Project
from mindport.usage.top_classes import lines_of_class

MOST_ROUNDS = 10

Refusal = Callable[[str], "str | None"]  # why a file must not be changed


class FixedText(msgspec.Struct, frozen=True):
    """A text after its fixes, how many were applied, and the places in FileUsage.uses of those that were
    fixed in the text as it was."""

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
    """Each file before and after its fixes, in the order of `files`; nothing is written. A file with
    uncommitted changes is refused unless `allow_dirty`.

    The files of a part of the project go through each round together: what is renamed in one of them may be
    what another one calls, so that fixing again changes nothing."""
    overlay = overlay or {}
    sources = read_sources(files, settings, root, overlay)
    engine = Engine(target, project_index(settings, root))
    fixer = Fixer(engine, RuleFilter(settings, root), unsafe)
    changes = UncommittedChanges()

    def refusal(path: str) -> str | None:
        return None if allow_dirty or path in overlay else changes.reason(path)

    parts = components(sources)
    part_of = {path: index for index, part in enumerate(parts) for path, _ in part.files}
    done: dict[str, FileFix] = {}
    for path, _ in sources.files:
        if path not in done:
            part = _Part(parts[part_of[path]], root, fixer)
            done.update((file.path, file) for file in part.fixed(refusal))
        yield done.pop(path)


def fix_text(
    path: str,
    source: SourceText,
    project: Project,
    engine: Engine,
    rules: RuleFilter,
    *,
    unsafe: bool = False,
    only_class: str = "",
) -> FixedText:
    """Apply fixes to one file, or to one top-level class of it, in rounds until nothing changes. The project has its
    own text of the file back at the end. A round whose result would not parse is not made."""
    name = full_path(path)
    fixer = Fixer(engine, rules, unsafe)
    taken = taken_names(project).get(name, frozenset())
    text, applied, fixed_uses = source.text, 0, frozenset[int]()
    try:
        for _ in range(MOST_ROUNDS):
            if only_class:
                fixer = msgspec.structs.replace(fixer, lines=lines_of_class(project.units(name), only_class))
            result = fix_once(path, source.with_text(text), project.usage(name), fixer, taken)
            if result is None:
                break
            applied += len(result.fixed_uses)
            # The first round speaks of the uses that the user knows.
            fixed_uses = fixed_uses or result.fixed_uses
            text = result.text
            project.add(name, text)
            if project.problems(name):  # a round parses its result; this is one more lock on the same door
                return FixedText(source.text)
    finally:
        project.add(name, source.text)
    return FixedText(_finished(source.text, text) if applied else text, applied, fixed_uses)


def _finished(before: str, text: str) -> str:
    """A converted text without statements that do nothing any more, and with the imports that it needs."""
    return with_optional_torch(with_ported_libraries(without_idle_statements(before, text)))


def what_is_left(report: FileReport, fixed_uses: frozenset[int]) -> FileReport:
    """The findings that were not fixed. Taken from the first look at the file: once a part of it is MindSpore
    code, a second look knows less of the values that flow through it."""
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


class _Part:
    """The files of one part of a project while they are fixed."""

    def __init__(self, part: Sources, root: str, fixer: Fixer) -> None:
        self._fixer = fixer
        self._project = project_of(part, root)
        self._sources = dict(part.files)
        self._reports: dict[str, FileReport] = {}
        self._problems: dict[str, Problem] = {}
        self._results: dict[str, FixedText] = {}
        for path, source in part.files:
            self._look(path, source)
        self._taken = taken_names(self._project)

    def _look(self, path: str, source: SourceText | Problem) -> None:
        """Report a file as it is, and take it up if it can be fixed."""
        if isinstance(source, Problem):
            self._reports[path] = unreadable_report(path, source, self._fixer.rules)
            self._problems[path] = source
            return
        file = analyse(path, source, self._project)
        engine = self._fixer.engine
        self._reports[path] = check_usage(
            file.usage,
            source.text,
            engine,
            self._fixer.rules,
            path,
            file.problems,
            training=training_findings(source.text, file.usage, engine),
        )
        if file.problems:
            self._problems[path] = placed_problem(file.problems[0], path, cells_of(source.text))
        elif not is_config(path):
            self._results[path] = FixedText(source.text)

    def fixed(self, refusal: Refusal) -> Iterator[FileFix]:
        """The files after all rounds."""
        for _ in range(MOST_ROUNDS):
            if not self._round(refusal):
                break
        is_ported = any(result.applied for result in self._results.values())
        for path, source in self._sources.items():
            report, problem = self._reports[path], self._problems.get(path)
            if isinstance(source, Problem):
                yield FileFix(path, report, problem=problem)
                continue
            result = self._results.get(path, FixedText(source.text))
            # A file that nothing was fixed in is imported by those that were.
            if result.applied or (is_ported and path in self._results and refusal(path) is None):
                result = msgspec.structs.replace(result, text=_finished(source.text, result.text))
            left = what_is_left(report, result.fixed_uses)
            yield FileFix(path, left, source, source.with_text(result.text), result.applied, problem)

    def _round(self, refusal: Refusal) -> bool:
        """Fix every file against the others as the last round left them; says whether anything changed."""
        changed: dict[str, FixedText] = {}
        for path, before in self._results.items():
            source = self._sources[path]
            assert isinstance(source, SourceText)
            full = full_path(path)
            taken = self._taken.get(full, frozenset())
            result = fix_once(
                path, source.with_text(before.text), self._project.usage(full), self._fixer, taken
            )
            if result is None:
                continue
            reason = refusal(path) if not before.applied else None
            if reason is not None:
                self._problems[path] = Problem(ProblemKind.CHANGED, reason, FILE_START, path)
                continue
            is_first = before.text == source.text
            known = result.fixed_uses if is_first else before.fixed_uses
            changed[path] = FixedText(result.text, before.applied + len(result.fixed_uses), known)
        for path in self._problems:
            self._results.pop(path, None)
        for path, after in changed.items():
            self._project.add(full_path(path), after.text)
            self._results[path] = after
        return bool(changed)
