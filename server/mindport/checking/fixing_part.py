"""Fixes the files of one part of a project together, in rounds until nothing changes; one on which mindport fails stays
as it was."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Collection, Iterator

import msgspec

from mindport.checking.analysis import Analysed, Sources, analyse, is_config, project_of
from mindport.checking.beginning import Beginning, beginnings_of
from mindport.checking.conversion import Conversion
from mindport.checking.failure import FIXING, failure_of
from mindport.checking.file_report import check_file, unreadable_report
from mindport.checking.finishing import WholeProject, finished, whole_project
from mindport.checking.fix_round import Fixer, fix_once
from mindport.checking.fixed_text import (
    FixedText,
    met_by_unsafe_fixes,
    what_is_left,
    without_rates_made_numbers,
)
from mindport.checking.held_back import files_of_steps
from mindport.checking.outcome import FileFix, FileReport
from mindport.checking.own_attributes import OwnAttributes
from mindport.checking.parts_along import PartsAlong
from mindport.checking.second_order_fixes import with_equivalents
from mindport.checking.taken_names import taken_names
from mindport.checking.training import has_steps_left, training_steps
from mindport.rewrite.unused_imports import without_unused_torch
from mindport.source.discovery import full_path
from mindport.source.notebook import cells_of, placed_problem
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.syntax import shared_trees
from mindport.source.text import SourceText

MOST_ROUNDS = 10
Refusal = Callable[[str], "str | None"]  # why a file must not be changed


class FixedPart:
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
        # What happens to a gradient of a gradient shows in what the code becomes.
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
        if self._fixer.unsafe and self._fixer.lines is None:
            self._differentiate_twice()
        steps = self._files_with_torch_steps()
        held_back = self._hold_back(steps) if steps and not self._fixer.unsafe else dict[str, bool]()
        still_used = {path: self._still_used(path) for path in self._sources}
        # Unsafe fixes are for the project as a whole, and so for a file that nothing has to do with.
        is_ported = self._fixer.unsafe or any(result.applied for result in self._results.values())
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
            report = without_rates_made_numbers(report, beginning.begun.text, result)
            left = what_is_left(report, beginning.begun.text, result, self._fixer.engine, still_used[path])
            unsafe = beginning.findings_in_source(met_by_unsafe_fixes(report, left, result))
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

    def _differentiate_twice(self) -> None:
        """Write what was converted so that gradients of gradients go through it."""
        for path, before in self._results.items():
            source, full = self._sources[path], full_path(path)
            assert isinstance(source, SourceText)
            if not before.applied:
                continue
            with _failing(path):
                text, count = with_equivalents(
                    source.with_text(before.text),
                    self.project.usage(full),
                    self.project.second_order_links(full),
                    self._fixer.engine,
                    self._taken.get(full, frozenset()),
                )
            if count:
                self.project.add(full, text)
                applied = before.applied + count
                self._results[path] = msgspec.structs.replace(before, text=text, applied=applied)

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

    def _still_used(self, path: str) -> frozenset[str]:
        """The names of torch that a file uses after all rounds."""
        if path not in self._results:
            return frozenset()
        return frozenset(use.api for use in self.project.usage(full_path(path)).uses)

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
        of_others = self.project.names_of_own_stars(full_path(path), kept)
        text = without_unused_torch(text, path, kept, of_others)
        return msgspec.structs.replace(
            result, text=finished(full_path(path), source.text, text, self._fixer.engine.target, whole)
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
                result.text,
                before.applied + result.count,
                first.fixed_uses,
                first.uses_of_steps,
                first.uses_of_recording,
                first.fixed_shapes,
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
