"""Applies fixes to texts: rounds until nothing changes, each of them parsed again, and never a half-changed file."""

from __future__ import annotations

import contextlib
import functools
import logging
import posixpath
from collections.abc import Callable, Collection, Iterator, Sequence

import msgspec

from mindport.check.analysis import Analysed, Sources, analyse, is_config, project_of, read_sources
from mindport.check.beginning import Beginning, beginnings_of
from mindport.check.components import components
from mindport.check.conversion import Conversion
from mindport.check.engine import Engine
from mindport.check.failure import FIXING, failure_of
from mindport.check.file_report import check_file, unreadable_report
from mindport.check.finishing import WholeProject, finished, whole_project
from mindport.check.fix_round import Fixer, fix_once
from mindport.check.fixed_shapes import is_about_shape
from mindport.check.held_back import files_of_steps
from mindport.check.helper_places import package_of
from mindport.check.helper_sharing import share_helpers, with_existing_helpers
from mindport.check.outcome import FileFix, FileReport
from mindport.check.own_attributes import OwnAttributes
from mindport.check.parts_along import PartsAlong, parts_along
from mindport.check.project_evidence import project_index
from mindport.check.taken_names import taken_names
from mindport.check.training import has_steps_left, training_steps
from mindport.check.uncommitted import UncommittedChanges
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.finding import Finding, Severity
from mindport.model.language import spoken
from mindport.model.span import Span
from mindport.model.target import Target
from mindport.model.verdict import Applicability
from mindport.rewrite.unused_imports import without_unused_torch
from mindport.source.discovery import full_path
from mindport.source.lines import LineIndex
from mindport.source.notebook import cells_of, placed_problem
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.syntax import shared_trees
from mindport.source.text import SourceText
from mindport.usage.project import Project
from mindport.usage.top_classes import lines_of_class

_LOG = logging.getLogger(__name__)

MOST_ROUNDS = 10

Refusal = Callable[[str], "str | None"]  # why a file must not be changed


class FixedText(msgspec.Struct, frozen=True):
    """A text after its fixes, how many were applied; of those that were fixed in the text as it was the places in
    FileUsage.uses, and where code got a fixed shape."""

    text: str
    applied: int = 0
    fixed_uses: frozenset[int] = frozenset()
    fixed_shapes: frozenset[Span] = frozenset()


def fix_paths(
    files: Sequence[str],
    settings: Settings,
    target: Target,
    root: str = ".",
    overlay: dict[str, SourceText] | None = None,
    *,
    unsafe: bool = False,
    allow_dirty: bool = False,
    within: str = "",
    takes_guesses: bool = False,
) -> Iterator[FileFix]:
    """Each file before and after its fixes, in the order of `files`, but a module of helpers before the first file that
    imports it; nothing is written. A file with uncommitted changes is refused unless `allow_dirty`. No new file
    lies outside of the folder `within`, where that is given. `takes_guesses`: whether what is only guessed is fixed,
    too, as an unsafe fix.

    The files of a part of the project go through each round together: what is renamed in one of them may be
    what another one calls, so that fixing again changes nothing."""
    overlay = overlay or {}
    sources = read_sources(files, settings, root, overlay)
    along = parts_along(sources, root, within) if unsafe else PartsAlong(sources)
    sources = along.sources
    engine = Engine(target, project_index(settings, root), language=spoken(settings.locale))
    fixer = Fixer(engine, RuleFilter(settings, root), unsafe)
    changes = UncommittedChanges()

    def refusal(path: str) -> str | None:
        return None if allow_dirty or path in overlay else changes.reason(path)

    groups = _sharing_helpers(components(sources))
    group_of = {path: index for index, group in enumerate(groups) for part in group for path, _ in part.files}
    top = posixpath.commonpath([posixpath.dirname(full_path(path)) for path in files]) if files else ""
    given: set[str] = set()
    done: dict[str, FileFix] = {}
    for path, _ in sources.files:
        if path in given:
            continue
        if path not in done:
            parts = [_Part(part, root, fixer, takes_guesses, along) for part in groups[group_of[path]]]
            fixed = [(part.project, part.fixed(refusal)) for part in parts]
            shared: Sequence[FileFix] = ()
            if settings.helper_module:
                try:
                    shared = share_helpers(fixed, settings.helper_module, top, within)
                except Exception:  # noqa: BLE001  each file has its helpers already
                    _LOG.exception("sharing the helpers failed")
            done.update((file.path, file) for _, part in fixed for file in part)
            done.update((file.path, file) for file in shared)
        for name in (done[path].helpers, path):
            if name and name not in given:
                given.add(name)
                yield _as_new(done.pop(name)) if name in along.modules else done.pop(name)


def _as_new(fix: FileFix) -> FileFix:
    """A module that the project does not have, as it is written; nothing is reported of it."""
    assert fix.before is not None
    return msgspec.structs.replace(
        fix, report=FileReport(fix.path), before=SourceText(fix.path, ""), is_new=True, unsafe=()
    )


def _sharing_helpers(parts: Sequence[Sources]) -> list[list[Sources]]:
    """The parts in groups whose files may have their helpers from one module: those of one package or folder."""
    known = {full_path(path) for part in parts for path, _ in part.files}
    groups: dict[str, list[Sources]] = {}
    for part in parts:
        folders = {package_of(full_path(path), known) for path, _ in part.files}
        joined = {id(groups[folder]): groups[folder] for folder in sorted(folders) if folder in groups}
        group = [*(one for other in joined.values() for one in other), part]
        for folder, other in list(groups.items()):
            if id(other) in joined:
                groups[folder] = group
        groups.update(dict.fromkeys(folders, group))
    return list({id(group): group for group in groups.values()}.values())


@shared_trees()
def fix_text(
    path: str,
    source: SourceText,
    project: Project,
    engine: Engine,
    rules: RuleFilter,
    *,
    unsafe: bool = False,
    only_class: str = "",
    helper_module: str = "",
) -> FixedText:
    """Apply fixes to one file, or to one top-level class of it, in rounds until nothing changes. The project has its
    own text of the file back at the end. A round whose result would not parse is not made. Helpers are imported from
    the module of that name as far as there is one that has them."""
    name = full_path(path)
    if project.problems(name):
        return FixedText(source.text)
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
            applied += result.count
            # The first round speaks of the uses that the user knows.
            fixed_uses = fixed_uses or result.fixed_uses
            text = result.text
            project.add(name, text)
            if project.problems(name):  # a round parses its result; this is one more lock on the same door
                return FixedText(source.text)
        whole = whole_project(project, (name,))
        text = OwnAttributes(project, {name: source.text}).renamed(name) if applied else text
    finally:
        project.add(name, source.text)
    if applied:
        text = finished(source.text, text, engine.target, whole)
        text = with_existing_helpers(source, text, project, helper_module) if helper_module else text
    return FixedText(text, applied, fixed_uses)


def what_is_left(report: FileReport, before: str, result: FixedText, engine: Engine) -> FileReport:
    """The findings of the text `before` that were not fixed. Taken from the first look at the file: once a part of it
    is MindSpore code, a second look knows less of the values that flow through it."""
    lines = LineIndex(before)
    pairs = [
        (finding, fix)
        for finding, fix in zip(report.findings, report.fixes, strict=True)
        if finding.use_index not in result.fixed_uses
        and not (finding.span in result.fixed_shapes and is_about_shape(finding, engine))
        # Where a later round fixed what an earlier one had moved, its words are gone.
        and (fix is None or not result.applied or lines.slice(finding.span) in result.text)
    ]
    return msgspec.structs.replace(
        report,
        findings=tuple(finding for finding, _ in pairs),
        fixes=tuple(fix for _, fix in pairs),
    )


def _met_by_unsafe_fixes(report: FileReport, left: FileReport) -> tuple[Finding, ...]:
    """The findings that are no longer left and were met by more than a safe fix of their own: by an unsafe one, or as a
    part of a training step."""
    kept = set(map(id, left.findings))
    return tuple(
        finding
        for finding, fix in zip(report.findings, report.fixes, strict=True)
        if id(finding) not in kept
        and (fix is Applicability.UNSAFE or (fix is None and finding.severity > Severity.HINT))
    )


class _Part:
    """The files of one part of a project while they are fixed."""

    def __init__(
        self, part: Sources, root: str, fixer: Fixer, takes_guesses: bool, along: PartsAlong
    ) -> None:
        self._fixer = fixer
        self._takes_guesses = takes_guesses
        self._led = along.edits.keys()  # the files whose beginning is a fix by itself
        # Files that unsafe fixes are for begin with another text; all that follows looks at that one.
        sources = {
            path: one for path, one in part.files if isinstance(one, SourceText) and not is_config(path)
        }
        self._beginnings = beginnings_of(sources, along.edits) if fixer.unsafe else {}
        begun = (
            (path, self._beginnings[path].begun if path in self._beginnings else source)
            for path, source in part.files
        )
        part = msgspec.structs.replace(part, files=tuple(begun))
        self.project = project_of(part, root)
        self.project.take_guesses(takes_guesses)
        self._sources = dict(part.files)
        self._reports: dict[str, FileReport] = {}
        self._problems: dict[str, Problem] = {}
        self._results: dict[str, FixedText] = {}
        self._torch_steps: dict[str, Callable[[frozenset[int]], bool]] = {}
        # What happens to a gradient of a gradient is no matter of fixes.
        files = [
            analyse(path, source, self.project, fixer.engine.target, lambda _: ())
            for path, source in part.files
        ]
        if fixer.unsafe and Conversion(files).records:
            self._fixer = msgspec.structs.replace(fixer, records=True)
        for file in files:
            self._look(file)
        self._taken = taken_names(self.project)

    def _look(self, file: Analysed) -> None:
        """Report a file as it is, and take it up if it can be fixed."""
        engine, rules, path = self._fixer.engine, self._fixer.rules, file.path
        if isinstance(file.source, Problem):
            self._reports[path] = unreadable_report(path, file.source, rules, engine)
            self._problems[path] = file.source
            return
        text = file.source.text
        try:
            if self._fixer.records:
                steps = training_steps(text, file.usage, engine.target, recorded=True)
                file = msgspec.structs.replace(file, training=steps)
            self._torch_steps[path] = functools.partial(
                has_steps_left, file.training, file.usage, self._fixer.allowed, self._fixer.records
            )
            self._reports[path] = check_file(file, text, engine, rules)
        except Exception as error:  # noqa: BLE001  a defect in one file must not lose the others
            self._problems[path] = failure_of(error, path)
            self._reports[path] = unreadable_report(path, self._problems[path], rules, engine)
            return
        if file.problems:
            self._problems[path] = placed_problem(file.problems[0], path, cells_of(text))
        elif not is_config(path):
            self._results[path] = FixedText(text)

    @shared_trees()
    def fixed(self, refusal: Refusal) -> list[FileFix]:
        """The files after all rounds. A file on which mindport fails stays as it was; as the others may have been
        written for what it was to become, they are then fixed again, without it."""
        while True:
            try:
                return self._after_all_rounds(refusal)
            except _FileFailed as failed:
                self.project.start_over()
                self._problems[failed.problem.path] = failed.problem
                for path in self._results:
                    self._results[path] = self._as_it_was(path)
                del self._results[failed.problem.path]

    def _after_all_rounds(self, refusal: Refusal) -> list[FileFix]:
        self.project.take_guesses(self._takes_guesses)
        for _ in range(MOST_ROUNDS):
            if not self._round(refusal):
                break
            self.project.take_guesses(False)  # of values that became MindSpore's nothing is known any more
        steps = self._files_with_torch_steps()
        held_back = self._hold_back(steps) if steps and not self._fixer.unsafe else dict[str, bool]()
        is_ported = any(result.applied for result in self._results.values())
        taken = taken_names(self.project)  # what the files as they are now import from each other
        whole = whole_project(self.project, map(full_path, self._results))
        begun = (self._sources[path] for path in self._results)
        attributes = OwnAttributes(
            self.project, {full_path(one.path): one.text for one in begun if isinstance(one, SourceText)}
        )
        fixed = []
        for path, source in self._sources.items():
            report, problem = self._reports[path], self._problems.get(path)
            if isinstance(source, Problem):
                fixed.append(FileFix(path, report, problem=problem))
                continue
            beginning = self._beginnings.get(path) or Beginning(source, source)
            original = beginning.source
            result = self._results.get(path, FixedText(original.text))
            if path in self._led and path in self._results and not result.applied and refusal(path) is None:
                result = msgspec.structs.replace(result, applied=1)
            if not result.applied:
                source, result = original, FixedText(original.text)
            # A file that nothing was fixed in is imported by those that were.
            is_in_reach = is_ported and path in self._results and path not in held_back
            if result.applied or (is_in_reach and refusal(path) is None):
                with _failing(path):
                    result = self._finished(
                        path, source, result, taken.get(full_path(path), frozenset()), whole, attributes
                    )
            left = what_is_left(report, beginning.begun.text, result, self._fixer.engine)
            unsafe = beginning.findings_in_source(_met_by_unsafe_fixes(report, left))
            left = msgspec.structs.replace(left, findings=beginning.findings_in_source(left.findings))
            after = original.with_text(result.text)
            fixed.append(
                FileFix(
                    path,
                    left,
                    original,
                    after,
                    result.applied,
                    problem,
                    unsafe=unsafe,
                    torch_steps=path in steps,
                    held_back=held_back.get(path, False),
                )
            )
        return fixed

    def _files_with_torch_steps(self) -> frozenset[str]:
        """The files whose training steps stay torch's while other code becomes MindSpore."""
        if not any(result.applied for result in self._results.values()):
            return frozenset()
        return frozenset(
            path
            for path, is_left in self._torch_steps.items()
            if is_left(self._results[path].fixed_uses if path in self._results else frozenset())
        )

    def _hold_back(self, steps: Collection[str]) -> dict[str, bool]:
        """Take back the fixes of all files that belong to training steps that stay: path -> whether it had some."""
        results = dict(self._results)
        texts = {path: self.project.text(full_path(path)) for path in results}
        unchanged = {path: self._as_it_was(path) for path in results}
        group = files_of_steps(self.project, [full_path(path) for path in steps])
        held_back = {
            path: bool(result.applied) for path, result in results.items() if full_path(path) in group
        }
        for path in results:
            if path in held_back:
                self._results[path] = unchanged[path]
            else:
                self.project.add(full_path(path), texts[path])
        return held_back

    def _as_it_was(self, path: str) -> FixedText:
        """A file without its fixes, which the project has so, too."""
        source = self._sources[path]
        assert isinstance(source, SourceText)
        self.project.add(full_path(path), source.text)
        return FixedText(source.text)

    def _finished(
        self,
        path: str,
        source: SourceText,
        result: FixedText,
        kept: frozenset[str],
        whole: WholeProject,
        attributes: OwnAttributes,
    ) -> FixedText:
        is_as_analysed = result.text == self.project.text(full_path(path))
        text = attributes.renamed(full_path(path)) if is_as_analysed else result.text
        text = without_unused_torch(text, path, kept)
        return msgspec.structs.replace(
            result, text=finished(source.text, text, self._fixer.engine.target, whole)
        )

    def _round(self, refusal: Refusal) -> bool:
        """Fix every file against the others as the last round left them; says whether anything changed."""
        changed: dict[str, FixedText] = {}
        for path, before in self._results.items():
            source = self._sources[path]
            assert isinstance(source, SourceText)
            full = full_path(path)
            taken = self._taken.get(full, frozenset())
            with _failing(path):
                result = fix_once(
                    path, source.with_text(before.text), self.project.usage(full), self._fixer, taken
                )
            if result is None:
                continue
            reason = refusal(path) if not before.applied else None
            if reason is not None:
                self._problems[path] = Problem(ProblemKind.CHANGED, reason, FILE_START, path)
                continue
            is_first = before.text == source.text
            first = result if is_first else before
            changed[path] = FixedText(
                result.text, before.applied + result.count, first.fixed_uses, first.fixed_shapes
            )
        for path in self._problems:
            self._results.pop(path, None)
        for path, after in changed.items():
            self.project.add(full_path(path), after.text)
            self._results[path] = after
        return bool(changed)


class _FileFailed(Exception):
    """Fixing one file raised an error."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


@contextlib.contextmanager
def _failing(path: str) -> Iterator[None]:
    """Around the work on one file: raises _FileFailed instead of whatever a defect raises."""
    try:
        yield
    except Exception as error:
        raise _FileFailed(failure_of(error, path, FIXING)) from error
