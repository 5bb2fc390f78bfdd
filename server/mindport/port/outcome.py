"""What porting a project found and wrote: plain data for the hosts."""

from __future__ import annotations

import enum
from collections.abc import Iterable

import msgspec

from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.report.rows import Summary
from mindport.source.problem import Problem


class PortProblem(Exception):
    """Nothing was ported; the text is a sentence for the user that says why."""


class PortedLine(msgspec.Struct, frozen=True):
    """A line of the original and the one it became, both counted from 1 (in a notebook from the start of the cell).
    `written` is the text of the latter; of a line that is left out, that of the original."""

    file: str
    line: int
    written_line: int
    written: str
    cell: int | None = None
    is_left_out: bool = False

    @property
    def original(self) -> str:
        """The place in the original, as editors and terminals understand it."""
        return _place(self.file, self.cell, self.line)

    @property
    def text(self) -> str:
        """What stands there, for a person."""
        return say("(left out: {code})", code=self.written) if self.is_left_out else self.written

    @property
    def port(self) -> str:
        """The place in what was written."""
        return _place(self.file, self.cell, self.written_line)


class Remark(msgspec.Struct, frozen=True):
    """Something to know about one place: the message of the finding there. `fails` says that the line still calls
    torch, or a name that MindSpore lacks, so that running it fails; `advises`, that it works as it is, and another way
    suits MindSpore better."""

    place: PortedLine
    rule: str
    severity: Severity
    message: str
    fails: bool = False
    advises: bool = False


class LeftOut(msgspec.Struct, frozen=True):
    """A file or folder of the project that was not taken over, and why."""

    path: str
    reason: str
    size: int = 0


class Fate(enum.Enum):
    """What became of a file of the port in this run."""

    WRITTEN = "written"
    UNCHANGED = "unchanged"
    EDITED = "edited"  # by hand, and the port of it is still the same: left alone
    BESIDE = "beside"  # edited by hand, and the port of it is another now: that was written beside it
    REMOVED = "removed"  # it is gone from the project
    ORPHANED = "orphaned"  # it is gone from the project, but was edited by hand


class Branch(msgspec.Struct, frozen=True):
    """The git branch that was made for a port in place; `before` is what was checked out, which was at `commit`."""

    name: str
    before: str
    commit: str


class PortOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a run did. Paths are relative to the project, with forward slashes. `converted` are the files that fixes
    were made in, `fates` has all files of the port, `report` is where PORT.md went."""

    destination: str
    summary: Summary
    converted: tuple[str, ...]
    fixes: int
    review: tuple[Remark, ...]
    left: tuple[Remark, ...]
    left_out: tuple[LeftOut, ...] = ()
    problems: tuple[Problem, ...] = ()
    fates: dict[str, Fate] = {}
    branch: Branch | None = None
    report: str = ""

    @property
    def failing(self) -> list[Remark]:
        """What is left that fails when it is reached."""
        return [remark for remark in self.left if remark.fails]

    @property
    def differing(self) -> list[Remark]:
        """What is left that runs, but not as in torch, or needs a look."""
        return [remark for remark in self.left if not remark.fails and not remark.advises]

    @property
    def advice(self) -> list[Remark]:
        """What works as it is, and could be done in a better way."""
        return [remark for remark in self.left if remark.advises]

    def files(self, fate: Fate) -> tuple[str, ...]:
        """The files that this became of."""
        return tuple(path for path, found in self.fates.items() if found is fate)


def by_message(remarks: Iterable[Remark]) -> list[tuple[Remark, list[PortedLine]]]:
    """Each message once with all its places: what fails first, then the worst, then the most frequent."""
    groups: dict[tuple[str, str, bool], tuple[Remark, list[PortedLine]]] = {}
    for remark in remarks:
        key = (remark.rule, remark.message, remark.fails)
        places = groups.setdefault(key, (remark, []))[1]
        if remark.place not in places:
            places.append(remark.place)
    return sorted(groups.values(), key=lambda group: (not group[0].fails, -group[0].severity, -len(group[1])))


def _place(file: str, cell: int | None, line: int) -> str:
    return f"{file}:{line}" if cell is None else f"{file}:cell {cell}:{line}"
