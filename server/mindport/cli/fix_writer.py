"""Writes what `mindport fix` made of files: in place, or into a directory that gets all of them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from mindport.checking.out_of_reach import OutOfReach
from mindport.checking.outcome import FileFix
from mindport.model.language import later
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.reasons import reason_of
from mindport.source.text import SourceText, write_source
from mindport.source.writing import lies_below


class FixWriter:
    """Writes one file after the other, in place where there is no `directory`, in which they have the place that they
    have below `base`. `notes` are what the user should know of files that were written."""

    def __init__(self, out_of_reach: OutOfReach | None, directory: str | None, base: str) -> None:
        self.out_of_reach = out_of_reach
        self.notes: list[Problem] = []
        self._directory = directory
        self._base = base
        self._unwritten: set[str] = set()
        self._written: dict[str, SourceText] = {}  # by real path

    def write(self, file: FileFix) -> Problem | None:
        """Write a file whose helpers are not among those that could not be written. Gives what kept it from that."""
        problem = self._problem_of(file)
        if problem is not None:
            self._unwritten.add(file.path)
        return problem

    def is_written(self, file: FileFix) -> bool:
        """Whether a file was written with this content under another name: a link in the folder leads to it."""
        done = self._written.get(os.path.realpath(file.path))
        return done is not None and file.after is not None and done == _nameless(file.after)

    def copy(self, path: str) -> list[Problem]:
        """Copy a file that may not be touched as it is, so that the directory is whole."""
        if not os.path.isfile(path):  # noqa: PTH113
            return []
        place = self._place_below(path)
        if isinstance(place, Problem):
            return [place]
        try:
            shutil.copyfile(path, place)
        except OSError as error:
            return [_unwritable(path, later("cannot be copied: {reason}"), reason=reason_of(error))]
        return []

    def _problem_of(self, file: FileFix) -> Problem | None:
        assert file.after is not None
        if file.helpers in self._unwritten:
            sentence = later("was not written, because it imports {helpers}, which could not be")
            return _unwritable(file.path, sentence, helpers=file.helpers)
        if self._directory is not None:
            place = self._place_below(file.path)
            return place if isinstance(place, Problem) else write_source(place, file.after)
        reason = self.out_of_reach.reason(file.path) if self.out_of_reach is not None else None
        if reason is not None:  # a module of helpers, which is not asked about before
            return Problem(ProblemKind.CHANGED, reason, FILE_START, file.path)
        if self.is_written(file):
            return None
        real = os.path.realpath(file.path)
        names = _names_of(real)
        problem = write_source(file.path, file.after, None if file.is_new else file.before)
        if problem is None:
            self._written[real] = _nameless(file.after)
            if names > 1:
                sentence = later(
                    "was written; another name of the same file (a hard link) has its old content"
                )
                self.notes.append(Problem(ProblemKind.CHANGED, sentence, FILE_START, file.path))
        return problem

    def _place_below(self, path: str) -> Path | Problem:
        """Where a file goes below the directory, which is made."""
        directory = self._directory or ""
        place = Path(directory, os.path.relpath(os.path.abspath(path), self._base))  # noqa: PTH100
        if not lies_below(place, directory):
            sentence = later("a link leads out of the folder, to {place}, which stays as it is")
            return _unwritable(str(place), sentence, place=os.path.realpath(place))
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            return _unwritable(str(place.parent), later("cannot be made: {reason}"), reason=reason_of(error))
        return place


def _nameless(source: SourceText) -> SourceText:
    return SourceText("", source.text, source.encoding, source.has_bom, source.newline, source.notebook)


def _names_of(real: str) -> int:
    try:
        return os.stat(real).st_nlink  # noqa: PTH116
    except OSError:
        return 1


def _unwritable(path: str, sentence: str, **values: str) -> Problem:
    return Problem(ProblemKind.UNWRITABLE, sentence, FILE_START, path, values=values)
