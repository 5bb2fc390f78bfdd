"""What a trial of a port found, as plain data."""

from __future__ import annotations

import enum
from collections.abc import Iterator

import msgspec

FORMAT = 1


class TrialStage(enum.Enum):
    """How far a program comes, each after the one before. The value is the word of the JSON."""

    IMPORT = "import"
    BUILD = "build"
    FORWARD = "forward"
    TRAIN = "train"


class Status(enum.Enum):
    """How an attempt ended: it came through, it failed in the port, or something that the port cannot give is
    missing (data, a package, an argument), so that nothing is known beyond the stages that it reached."""

    RUNS = "runs"
    FAILS = "fails"
    NEEDS = "needs"


class FileLine(msgspec.Struct, frozen=True):
    """A line of a file, counted from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        """As editors and terminals understand it."""
        return f"{self.file}:{self.line}"


class TracebackCall(msgspec.Struct, frozen=True):
    """One of the calls on the way to a failure; `file` is relative to the port where it lies in it."""

    file: str
    line: int
    name: str


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One file that was imported, or one entry that was run.

    `name` is what was tried (`net.py`, `train.py --steps 1`), `file` the file of the port. `reached` are the stages
    that went well; `stage` is the one that `reason` ended, None where nothing did. `port` is the last place in the
    port on the way to the failure, `original` the place in the original that it was made of. `error` is the error as
    Python prints it, `reason` a sentence for the user, `calls` the way there, `printed` the end of the output."""

    name: str
    file: str
    is_entry: bool
    status: Status
    reached: tuple[TrialStage, ...] = ()
    stage: TrialStage | None = None
    reason: str = ""
    error: str = ""
    port: FileLine | None = None
    original: FileLine | None = None
    calls: tuple[TracebackCall, ...] = ()
    printed: str = ""
    seconds: float = 0.0

    @property
    def wanted(self) -> tuple[TrialStage, ...]:
        """The stages that count for it: those it reached, and from a failure on all others of its kind."""
        kind = (
            (TrialStage.BUILD, TrialStage.FORWARD, TrialStage.TRAIN)
            if self.is_entry
            else (TrialStage.IMPORT,)
        )
        if self.status is Status.FAILS and self.stage is not None:
            order = list(TrialStage)
            missed = order[order.index(self.stage) :]
            return tuple(one for one in kind if one in self.reached or one in missed)
        return tuple(one for one in kind if one in self.reached)


class StageCount(msgspec.Struct, frozen=True):
    """How many of those that count for a stage reached it."""

    reached: int
    wanted: int


class TrialOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a trial found. `problem` says why nothing could be tried; then there are no attempts. `python` and
    `mindspore` are versions of the interpreter."""

    attempts: tuple[Attempt, ...] = ()
    python: str = ""
    mindspore: str = ""
    problem: str = ""

    def count(self, stage: TrialStage) -> StageCount:
        """How many attempts reached a stage."""
        wanted = [one for one in self.attempts if stage in one.wanted]
        good = [one for one in wanted if stage in one.reached and one.stage is not stage]
        return StageCount(len(good), len(wanted))

    @property
    def failures(self) -> tuple[Attempt, ...]:
        """The attempts that fail."""
        return tuple(one for one in self.attempts if one.status is Status.FAILS)

    @property
    def is_known(self) -> bool:
        """Whether anything was tried to its end: of the entries at least one, where there are any."""
        entries = [one for one in self.attempts if one.is_entry]
        return any(one.status is not Status.NEEDS for one in entries or self.attempts)

    def distinct_failures(self) -> Iterator[tuple[Attempt, int]]:
        """The failures by their stages, those of one place and error once, with how many there are of each."""
        groups: dict[tuple[FileLine | None, str], list[Attempt]] = {}
        order = list(TrialStage)
        ordered = sorted(self.failures, key=lambda one: order.index(one.stage) if one.stage else len(order))
        for one in ordered:
            key = (one.port, one.error) if one.port is not None else (None, one.name)
            groups.setdefault(key, []).append(one)
        for found in groups.values():
            yield found[0], len(found)
