"""What a port gives: plain data for the hosts."""

from __future__ import annotations

import enum

import msgspec

from mindport.source.problem import Problem


class Place(msgspec.Struct, frozen=True, order=True):
    """A line of the original and the line of the port that was made of it, by the file's path in the project; `cell` is
    that of a notebook, whose lines are counted from its start."""

    file: str
    line: int
    written_line: int
    cell: int | None = None


class Remark(msgspec.Struct, frozen=True):
    """Something to know about a place: what the finding there says. `severity` is the finding's word, `rule` its
    code."""

    place: Place
    rule: str
    severity: str
    message: str


class Ending(enum.Enum):
    """What became of a file."""

    WRITTEN = "written"  # new or changed in this run
    UNCHANGED = "unchanged"  # there already, and right
    KEPT = "kept"  # edited by hand, and nothing new to write
    CONFLICT = "conflict"  # edited by hand, and the port of it changed, too; the new text lies beside it
    REMOVED = "removed"  # gone from the source
    FAILED = "failed"  # could not be written


class PortedFile(msgspec.Struct, frozen=True):
    """One file of the port: the fixes that were applied, what to review and what is left of torch."""

    file: str
    ending: Ending
    applied: int = 0
    review: tuple[Remark, ...] = ()
    left: tuple[Remark, ...] = ()
    is_python: bool = False


class PortOutcome(msgspec.Struct, frozen=True):
    """A port as it was written. `problems` are files that could not be read, parsed, copied or written; `left_out` are
    paths that git ignores, which are not copied."""

    files: tuple[PortedFile, ...]
    problems: tuple[Problem, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def review(self) -> tuple[Remark, ...]:
        """All that a person should look at."""
        return tuple(remark for file in self.files for remark in file.review)

    @property
    def left(self) -> tuple[Remark, ...]:
        """All of torch that is left."""
        return tuple(remark for file in self.files for remark in file.left)

    def count(self, ending: Ending) -> int:
        """How many files ended so."""
        return sum(file.ending is ending for file in self.files)

    @property
    def converted(self) -> int:
        """How many files have fixes."""
        return sum(bool(file.applied) for file in self.files)

    @property
    def applied(self) -> int:
        """How many fixes were applied."""
        return sum(file.applied for file in self.files)
