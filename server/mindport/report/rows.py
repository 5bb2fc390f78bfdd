"""The machine-readable form of every result: rows with 1-based lines and code point columns, ends exclusive.

These classes are the format: the JSON schemas of the documentation are made from them, and the writers encode
nothing else. Keys are only ever added."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from mindport.config.schema import with_even_descriptions
from mindport.explain.target_words import target_words
from mindport.model.target import Device, Mode, Target, Version
from mindport.report.program_rows import ProgramRow

FORMAT_VERSION = 1

FixWord = Literal["safe", "unsafe", "display"]
SeverityWord = Literal["hint", "information", "warning", "error"]


class TargetRow(msgspec.Struct, frozen=True, kw_only=True):
    """A target that findings of the run speak of, and why it is that one."""

    root: str
    version: str
    device: str
    mode: str
    reasons: tuple[str, ...]

    @classmethod
    def of(cls, root: str, target: Target, reasons: tuple[str, ...]) -> TargetRow:
        """The target of what lies below `root`, as the outputs name it."""
        version, device, mode = str(target.version), target.device.value, target.mode.value
        return cls(root=root, version=version, device=device, mode=mode, reasons=reasons)

    def __str__(self) -> str:
        target = Target(Version.parse(self.version), Device(self.device), Mode(self.mode))
        return target_words(target)


class RelatedRow(msgspec.Struct, frozen=True, kw_only=True):
    """Another place that explains a finding."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str


class EditRow(msgspec.Struct, frozen=True, kw_only=True):
    """Text to be put in the place of other text; an empty place is where it goes in between."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class ChangeRow(msgspec.Struct, frozen=True, kw_only=True):
    """A fix written out: `edits` that are made together, imports and helpers included, or the `reason` why there are
    none."""

    title: str = ""
    edits: tuple[EditRow, ...] = ()
    reason: str = ""


class FindingRow(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="finding"):
    """One finding. `fix` says what may be done about it: applied (safe), applied with --unsafe-fixes
    (unsafe), only shown (display), or nothing (null). In a notebook `cell` is the number of the cell among all of
    them, counted from 1, and lines are counted from the start of the cell; else it is null. `source` is the line of
    code that it begins on; `fingerprint` tells it from the others of the file and stays when the line moves. `change`
    is there with `--with-edits` where there is a fix."""

    file: str
    cell: int | None
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    severity: SeverityWord
    message: str
    api: str
    confidence: str
    fix: FixWord | None
    depends_on: str
    related: tuple[RelatedRow, ...]
    source: str = ""
    fingerprint: str = ""
    change: ChangeRow | msgspec.UnsetType = msgspec.UNSET


class InventoryRow(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="reference"):
    """One reference to torch. `line` to `end_column` are the whole expression, `name_line` and `name_column`
    the start of its last name; `cell` is as in a finding. `fixable` says what may be done, `reason` why not more."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    name_line: int
    name_column: int
    cell: int | None
    api: str
    form: str
    confidence: str
    verdict: str
    target: str
    fixable: FixWord | Literal["no"]
    reason: str


class ApiCount(msgspec.Struct, frozen=True, kw_only=True):
    """How often an API is used."""

    api: str
    count: int


class RuleCount(msgspec.Struct, frozen=True, kw_only=True):
    """How often a rule was broken, and how many of these findings a safe or an unsafe fix removes."""

    code: str
    count: int
    safe: int
    unsafe: int


class Summary(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="summary"):
    """The state of the migration in numbers. `references` counts the torch names that the networks and their training
    call or name, as the report does, `apart` the others by kind, but no import lines, which follow from them; `ready`
    those that work as they are or after a safe fix; `fixable` counts findings by what may be done about them.
    `in_baseline` are findings that the project has accepted, which are counted nowhere else."""

    files: int
    references: int
    ready: int
    by_verdict: dict[str, int]
    by_severity: dict[str, int]
    by_code: dict[str, int]
    fixable: dict[str, int]
    suppressed: int
    without_equivalent: tuple[ApiCount, ...]
    targets: tuple[TargetRow, ...]
    programs: tuple[ProgramRow, ...] = ()
    in_baseline: int = 0
    apart: dict[str, int] = {}


class CheckOutput(msgspec.Struct, frozen=True, kw_only=True):
    """The whole of `mindport check --output-format json`."""

    format: int
    findings: tuple[FindingRow, ...]
    summary: Summary


class InventoryOutput(msgspec.Struct, frozen=True, kw_only=True):
    """The whole of `mindport inventory --output-format json`."""

    format: int
    references: tuple[InventoryRow, ...]
    summary: Summary


def output_schemas() -> dict[str, Any]:
    """The JSON schemas of the outputs by name: `check`, `inventory`, and `line` for one line of jsonl."""
    formats = {
        "check": CheckOutput,
        "inventory": InventoryOutput,
        "line": FindingRow | InventoryRow | Summary,
    }
    return {name: with_even_descriptions(msgspec.json.schema(form)) for name, form in formats.items()}
