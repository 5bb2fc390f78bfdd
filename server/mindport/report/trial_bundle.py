"""The file that an issue about a port needs: versions, the failures with the ways there, and findings. No code and no
output unless asked, and no path that tells of the machine."""

from __future__ import annotations

import os
import re
from pathlib import Path

import msgspec

from mindport.report.json_text import json_text
from mindport.report.program_rows import PlaceRow
from mindport.report.trial import AttemptRow, CallRow, TrialOutput

_AROUND = 5  # lines before and behind a failure
_ENVIRONMENT = re.compile(r"[^\s'\"]*[/\\](?:site|dist)-packages[/\\]")


class CodeRow(msgspec.Struct, frozen=True, kw_only=True):
    """The lines around a failure; `first` is the number of the first one."""

    side: str
    file: str
    first: int
    lines: tuple[str, ...]


class TrialBundle(msgspec.Struct, frozen=True, kw_only=True):
    """The whole of what --bundle writes: the document of the run with its failures alone, and, where it was asked
    for, the code around them."""

    trial: TrialOutput
    code: tuple[CodeRow, ...]


def bundle_of(document: TrialOutput, folder: Path, original: Path | None, with_code: bool) -> bytes:
    """The bundle as JSON. `folder` is that of the port."""
    places = [(os.path.abspath(folder), "PORT")]  # noqa: PTH100
    places += [(os.path.abspath(original), "ORIGINAL")] if original is not None else []  # noqa: PTH100
    places.append((str(Path.home()), "~"))
    failures = [attempt for attempt in document.attempts if attempt.status == "fails"]
    target = msgspec.structs.replace(document.target, root="", reasons=())
    trial = msgspec.structs.replace(
        document, attempts=tuple(_clean(one, places, with_code) for one in failures), target=target
    )
    code = []
    for attempt in failures if with_code else ():
        code += _code("port", folder, attempt.port)
        code += _code("original", original, attempt.original)
    return json_text(TrialBundle(trial=trial, code=tuple(code))).encode()


def _clean(attempt: AttemptRow, places: list[tuple[str, str]], with_output: bool) -> AttemptRow:
    finding = attempt.finding
    return msgspec.structs.replace(
        attempt,
        name=_without_paths(attempt.name, places),
        reason=_without_paths(attempt.reason, places),
        error=_without_paths(attempt.error, places),
        printed=_without_paths(attempt.printed, places) if with_output else "",
        calls=tuple(_clean_call(call, places) for call in attempt.calls),
        finding=msgspec.structs.replace(finding, file=_without_paths(finding.file, places))
        if finding
        else None,
    )


def _clean_call(call: CallRow, places: list[tuple[str, str]]) -> CallRow:
    return msgspec.structs.replace(call, file=_without_paths(call.file, places))


def _without_paths(text: str, places: list[tuple[str, str]]) -> str:
    text = _ENVIRONMENT.sub("", text)
    for path, name in places:
        text = text.replace(path, name)
    return text


def _code(side: str, folder: Path | None, place: PlaceRow | None) -> list[CodeRow]:
    if folder is None or place is None:
        return []
    try:
        lines = (folder / place.file).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    first = max(place.line - _AROUND, 1)
    return [
        CodeRow(side=side, file=place.file, first=first, lines=tuple(lines[first - 1 : place.line + _AROUND]))
    ]
