"""What can be said of a program before it is ported: plain data for the hosts, and the words for it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping

import msgspec

from mindport.model.language import later
from mindport.usage.programs.reach import Stage


class Answer(enum.Enum):
    """What is to be expected of a stage."""

    EXPECTED = "expected"
    UNKNOWN = "unknown"
    WILL_NOT = "will not"


class Cause(msgspec.Struct, frozen=True, array_like=True):
    """What decides: the line of a file, what stands there, and why it is in the way."""

    path: str
    line: int
    what: str
    why: str


class StageForecast(msgspec.Struct, frozen=True, array_like=True):
    """The answer for one stage, with its first cause where it is not expected."""

    stage: Stage
    answer: Answer
    cause: Cause | None = None


class ProgramForecast(msgspec.Struct, frozen=True, array_like=True):
    """What is to be expected of one program; `path` is its entry point. A program that takes no gradients has no stage
    of training."""

    path: str
    stages: tuple[StageForecast, ...]

    @property
    def deciding(self) -> StageForecast:
        """The stage that the program is named by: the first that it will not come through; else the first for which
        nothing can be said; else the last."""
        for answer in (Answer.WILL_NOT, Answer.UNKNOWN):
            for one in self.stages:
                if one.answer is answer:
                    return one
        return self.stages[-1]


RANK = {Answer.EXPECTED: 0, Answer.UNKNOWN: 1, Answer.WILL_NOT: 2}
"""The worse an answer is, the more it counts."""

STAGE_WORDS: Mapping[tuple[Stage, Answer], str] = {
    (Stage.IMPORT, Answer.WILL_NOT): later("will not import"),
    (Stage.BUILD, Answer.WILL_NOT): later("will not build"),
    (Stage.FORWARD, Answer.WILL_NOT): later("will not run forward"),
    (Stage.TRAIN, Answer.WILL_NOT): later("will not train"),
    (Stage.IMPORT, Answer.UNKNOWN): later("may not import"),
    (Stage.BUILD, Answer.UNKNOWN): later("may not build"),
    (Stage.FORWARD, Answer.UNKNOWN): later("may not run forward"),
    (Stage.TRAIN, Answer.UNKNOWN): later("may not train"),
    (Stage.FORWARD, Answer.EXPECTED): later("expected to run forward"),
    (Stage.TRAIN, Answer.EXPECTED): later("expected to train"),
}
"""What is said of a program by the stage that decides and its answer."""


def in_order(found: Iterable[ProgramForecast]) -> list[ProgramForecast]:
    """What comes farthest last, for a table: what certainly fails is what to look at."""
    return sorted(
        found,
        key=lambda one: (-RANK[one.deciding.answer], one.deciding.stage, one.path),
    )


def placed(program: ProgramForecast, name: Callable[[str], str]) -> ProgramForecast:
    """The forecast with the paths that `name` gives."""
    stages = tuple(
        msgspec.structs.replace(one, cause=msgspec.structs.replace(one.cause, path=name(one.cause.path)))
        if one.cause is not None
        else one
        for one in program.stages
    )
    return ProgramForecast(name(program.path), stages)
