"""What changed since an earlier report of the same project: `mindport report --compare old.json`."""

from __future__ import annotations

import msgspec

from mindport.model.language import later
from mindport.report.migration.rows import MigrationReport, ProgressRow

_TRAINS = "expected to train"


class NoReport(ValueError):
    """The file is not a report in JSON."""


class _Readiness(msgspec.Struct):
    references: int
    ready: int


class _Hard(msgspec.Struct):
    api: str
    count: int


class _Place(msgspec.Struct):
    file: str
    line: int


class _Rule(msgspec.Struct):
    code: str
    places: list[_Place]


class _Work(msgspec.Struct):
    message: str
    is_silent: bool
    places: list[_Place]


class _Program(msgspec.Struct):
    file: str
    level: str


class _Earlier(msgspec.Struct):
    """What of an earlier report is compared; one of an older mindport may lack the newer keys."""

    readiness: _Readiness
    hard: list[_Hard] = []
    work: list[_Work] = []
    programs: list[_Program] = []


def progress(earlier: bytes, report: MigrationReport) -> tuple[ProgressRow, ...]:
    """The figures of the earlier report, as its JSON, beside those of this one. Raises NoReport."""
    try:
        old = msgspec.json.decode(earlier, type=_Earlier)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NoReport(str(error)) from None
    now = report.readiness
    rows = [
        _row(later("references"), old.readiness.references, now.references),
        _row(later("ready"), old.readiness.ready, now.ready),
        _row(later("to do"), old.readiness.references - old.readiness.ready, now.references - now.ready),
    ]
    if old.work:
        before = sum(len(row.places) for row in old.work if row.is_silent)
        rows.append(_row(later("silent differences"), before, report.silent))
    before = sum(row.count for row in old.hard)
    rows.append(_row(later("without an equivalent"), before, sum(row.count for row in report.hard)))
    if old.programs:
        trains = (sum(row.level == _TRAINS for row in one) for one in (old.programs, report.programs))
        rows.append(_row(later("programs that are expected to train"), *trains))
    return tuple(rows)


def _row(what: str, before: int, now: int) -> ProgressRow:
    return ProgressRow(what=what, before=before, now=now)
