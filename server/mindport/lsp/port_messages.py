"""What the server and `port_process`, a process of its own, say to each other about ports and trials of them."""

from __future__ import annotations

from typing import Any

import msgspec

from mindport.lsp.positions import PositionEncoding
from mindport.lsp.survey_messages import Advance, SurveyRefusal
from mindport.model.language import Language


class PortRequest(msgspec.Struct, frozen=True, kw_only=True, tag="port"):
    """A folder of the workspace, where its port goes, and the settings of the editor."""

    source: str
    destination: str
    overrides: dict[str, Any] = {}
    language: Language = "en"


class TrialRequest(msgspec.Struct, frozen=True, kw_only=True, tag="try"):
    """A port, the only file of it to try (empty for all, else relative to the port), and what to run it with."""

    folder: str
    interpreter: str
    file: str = ""
    encoding: PositionEncoding = PositionEncoding.UTF16
    overrides: dict[str, Any] = {}
    language: Language = "en"


class RemarkRow(msgspec.Struct, frozen=True, kw_only=True):
    """Something to know about lines of a port; each place is one of the original and the one that it became, as
    `FILE:LINE`, relative to the project and to the port."""

    rule: str
    severity: str
    message: str
    places: tuple[tuple[str, str], ...]


class LeftOutRow(msgspec.Struct, frozen=True):
    """What was not copied, and why."""

    path: str
    reason: str


class Ported(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag="ported"):
    """What `mindport port` tells: `report` is the URI of PORT.md, `summary` says how much was converted; then what
    still is torch and fails, what was left as it is, and what to review."""

    destination: str
    report: str
    summary: str
    converted: tuple[str, ...]
    fixes: int
    fails: tuple[RemarkRow, ...]
    left: tuple[RemarkRow, ...]
    review: tuple[RemarkRow, ...]
    left_out: tuple[LeftOutRow, ...]
    problems: tuple[str, ...]


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A failure of a trial as the client marks it: a 0-based line, with columns as the client counts them."""

    uri: str
    line: int
    start: int
    end: int
    message: str


class Tried(msgspec.Struct, frozen=True, kw_only=True, tag="tried"):
    """How far a port comes: what `mindport try` says, line by line, and the failures with their places."""

    lines: tuple[str, ...]
    failures: tuple[Failure, ...]


class Cancelled(msgspec.Struct, frozen=True, tag="cancelled"):
    """The user did not want it any more; nothing was written, and nothing runs."""


Request = PortRequest | TrialRequest
Answer = Ported | Tried | Cancelled | SurveyRefusal
Line = Advance | Answer
