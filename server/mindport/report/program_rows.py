"""The rows of programs, in the report as in the end of `check`, and the lines of files that rows name."""

from __future__ import annotations

import msgspec


class PlaceRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a file, counted from 1; the path is relative to the folder that the row speaks of."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class StageRow(msgspec.Struct, frozen=True, kw_only=True):
    """What is expected of one stage of a program: `import`, `build`, `forward` or `train`. `answer` is `expected`,
    `unknown` or `will not`; `cause` is where the first thing stands that decides, `what` it is and `why`."""

    stage: str
    answer: str
    cause: PlaceRow | None = None
    what: str = ""
    why: str = ""


class ProgramRow(msgspec.Struct, frozen=True, kw_only=True):
    """One program: its entry point, what is expected of it after a port, the first cause where that is less than
    everything, and each stage."""

    file: str
    level: str
    cause: PlaceRow | None
    what: str
    why: str
    stages: tuple[StageRow, ...]
