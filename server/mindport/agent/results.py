"""What the tools give, from which the protocol's schemas are made. Everything has a size that an agent can read."""

from __future__ import annotations

import dataclasses

from mindport.report.program_rows import ProgramRow
from mindport.report.rows import CheckOutput, FindingRow

MOST_FINDINGS = 500
MOST_CHARACTERS = 60_000


@dataclasses.dataclass(frozen=True)
class Place:
    """One finding. `fix` says what may be done: safe was proved, unsafe has to be looked at, null is up to you;
    `source` is the line of code. In a notebook lines are counted from the start of the cell."""

    file: str
    cell: int | None
    line: int
    column: int
    code: str
    severity: str
    message: str
    api: str
    confidence: str
    fix: str | None
    depends_on: str
    source: str


@dataclasses.dataclass(frozen=True)
class Program:
    """An entry point, how far it is expected to come after a port, and what stops it."""

    file: str
    level: str
    cause: str


@dataclasses.dataclass(frozen=True)
class CheckResult:
    """Findings, the worst first; `left_out` more are there. The counts are of all of them."""

    target: str
    files: int
    findings: list[Place]
    left_out: int
    by_severity: dict[str, int]
    by_code: dict[str, int]
    fixable: dict[str, int]
    in_baseline: int
    programs: list[Program]


@dataclasses.dataclass(frozen=True)
class FixResult:
    """What fixes change, as a patch, and what the command said. `is_written` is false for a dry run; `is_cut` says that
    the patch goes on."""

    is_written: bool
    patch: str
    is_cut: bool
    said: str


@dataclasses.dataclass(frozen=True)
class PortResult:
    """A port: what is to be reviewed and what is left, by lines of both texts, as PORT.md says it."""

    destination: str
    is_complete: bool
    report: str
    is_cut: bool
    said: str


@dataclasses.dataclass(frozen=True)
class PageResult:
    """Text, and whether it was cut."""

    text: str
    is_cut: bool


def cut(text: str) -> tuple[str, bool]:
    """A text of a size that an agent can read, and whether more was there."""
    return text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS


_WORST_FIRST = ("error", "warning", "information", "hint")


def check_result(output: CheckOutput, limit: int) -> CheckResult:
    """What `mindport check --output-format json` found, `limit` findings at most."""
    rows = sorted(output.findings, key=lambda row: _WORST_FIRST.index(row.severity))
    shown = rows[: max(0, min(limit, MOST_FINDINGS))]
    summary = output.summary
    return CheckResult(
        target="; ".join(dict.fromkeys(map(str, summary.targets))),
        files=summary.files,
        findings=[_place(row) for row in shown],
        left_out=len(rows) - len(shown),
        by_severity=summary.by_severity,
        by_code=summary.by_code,
        fixable=summary.fixable,
        in_baseline=summary.in_baseline,
        programs=[_program(row) for row in summary.programs[:MOST_FINDINGS]],
    )


def _place(row: FindingRow) -> Place:
    return Place(**{field.name: getattr(row, field.name) for field in dataclasses.fields(Place)})


def _program(row: ProgramRow) -> Program:
    cause = "" if row.cause is None else f"{row.cause}: {row.what} {row.why}".rstrip()
    return Program(file=row.file, level=row.level, cause=cause)
