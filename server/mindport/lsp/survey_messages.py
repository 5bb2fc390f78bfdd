"""What the server and `workspace_survey`, a process of its own, say to each other. Apart from that, so that the server
starts without what makes a report."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from mindport.lsp.positions import PositionEncoding
from mindport.model.language import Language


class SurveyRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A folder, what is wanted of it, the settings of the editor, and the texts that it has open, by path."""

    folder: str
    wanted: Literal["overview", "page"]
    encoding: PositionEncoding
    overrides: dict[str, Any] = {}
    language: Language = "en"  # of the user, unless the settings name one
    texts: dict[str, str] = {}


class Advance(msgspec.Struct, frozen=True, tag="advance"):
    """So many files of all have been read."""

    done: int
    of: int


class PlacedApi(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An API of a file; `verdict_text` is for people, in their language. Each place is a cell (counted from 0; -1 in a
    file that is no notebook) and a range as the client counts: line, character, end line, end character."""

    api: str
    verdict: str
    verdict_text: str
    ready: int
    places: tuple[tuple[int, int, int, int, int], ...]


class PlacedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file with network code that uses torch."""

    uri: str
    path: str
    references: int
    ready: int
    silent: int
    apis: tuple[PlacedApi, ...]


class PlacedProgram(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A program: its entry point, and what is expected of it after a port; `level_text` is for people, in their
    language. `cause` has the first place (path below the folder and 0-based line) that decides, where there is one."""

    uri: str
    path: str
    level: str
    level_text: str
    cause: tuple[str, int] | None
    what: str
    why: str


class Overview(msgspec.Struct, frozen=True, tag="overview"):
    """The files of a folder that have something to port, what they are measured against, and its programs."""

    target: str
    files: tuple[PlacedFile, ...]
    programs: tuple[PlacedProgram, ...] = ()


class Page(msgspec.Struct, frozen=True, tag="page"):
    """The migration report as one HTML page."""

    html: str


class SurveyRefusal(msgspec.Struct, frozen=True, tag="refusal"):
    """Why there is no answer."""

    reason: str


Answer = Overview | Page | SurveyRefusal
