"""The file of a trace."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from mindport.usage.seen.run import SeenFile

FORMAT = 1
Ending = Literal["exit", "steps", "time", "error", "interrupted"]


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """The file of a trace. `command` is what ran, `ending` how it ended, with `error`; `is_full` says that some of what
    was seen had no room; the names of `files` are relative to the root of the project."""

    format: Literal[1]
    mindport: str
    command: tuple[str, ...]
    python: str
    torch: str
    has_columns: bool
    ending: Ending
    error: str = ""
    steps: Annotated[int, Meta(ge=0)]
    seconds: Annotated[float, Meta(ge=0)]
    is_full: bool = False
    files: dict[str, SeenFile]


def read_trace(content: bytes) -> Trace:
    """The trace that a file holds. Raises ValueError that says what is wrong, and where."""
    try:
        found = msgspec.json.decode(content, type=_Version)
        if found.format != FORMAT:
            raise ValueError(f"format {found.format} is not known to this mindport")
        return msgspec.json.decode(content, type=Trace)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


class _Version(msgspec.Struct):
    format: int
