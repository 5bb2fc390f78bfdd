"""What checking, listing and fixing give for one file: plain data for the hosts."""

from __future__ import annotations

import msgspec

from mindport.checking.program_forecast import ProgramForecast
from mindport.checking.suppression import Idle
from mindport.model.finding import Finding
from mindport.model.span import Edit
from mindport.model.verdict import Applicability, Verdict
from mindport.source.notebook import Cell
from mindport.source.problem import Problem
from mindport.source.text import SourceText
from mindport.usage.api_use import ApiUse


class Tally(msgspec.Struct, frozen=True, array_like=True):
    """How often a file refers to a name with the same answer; `apart` says why these do not count for the readiness."""

    api: str
    verdict: Verdict
    fix: Applicability | None
    count: int
    apart: str = ""


class WrittenFix(msgspec.Struct, frozen=True, array_like=True):
    """A fix as edits for what makes it alone: with all that it cannot do without, imports and helpers included.
    Lines in them end as those of the file do. Without edits `reason` says why there are none."""

    title: str = ""
    edits: tuple[Edit, ...] = ()
    reason: str = ""


class FileReport(msgspec.Struct, frozen=True, array_like=True):
    """The findings of one file in the order of their places; `fixes` has for each the best that may be
    done about it. `tallies` counts all uses, also those without a finding. A file that could not be
    read has one finding that says why, and `is_readable` is false. `sources` has for each finding the line of code
    that it is about, by which it is known again where lines have moved; none for what is not about the code. `idle` are
    the suppression comments that the file could do without. `written` has for each finding with a fix what that is,
    where it was asked for; else it is empty."""

    path: str
    findings: tuple[Finding, ...] = ()
    fixes: tuple[Applicability | None, ...] = ()
    tallies: tuple[Tally, ...] = ()
    suppressed: int = 0
    is_readable: bool = True
    cells: tuple[Cell, ...] = ()  # of a notebook: places are counted in the text of all its cells
    program: ProgramForecast | None = None  # of an entry point: how far the program comes after a port
    sources: tuple[str, ...] = ()
    idle: tuple[Idle, ...] = ()
    written: tuple[WrittenFix | None, ...] = ()


class ReferenceRow(msgspec.Struct, frozen=True, array_like=True):
    """One row of the inventory: a use, what can be said of it, what may be done, and why not more; `apart` says why it
    does not count for the readiness."""

    use: ApiUse
    verdict: Verdict
    fix: Applicability | None
    reason: str
    apart: str = ""


class FileInventory(msgspec.Struct, frozen=True, array_like=True):
    """The references of one file in the order of their places. `problem` says why a file could not be
    read, or which part of it could not be parsed."""

    path: str
    references: tuple[ReferenceRow, ...] = ()
    problem: Problem | None = None
    cells: tuple[Cell, ...] = ()


class FileFix(msgspec.Struct, frozen=True):
    """A file before and after its fixes; the host writes it. `applied` counts the fixes, `report` says what is left,
    and `unsafe` has the findings that unsafe fixes met. `before` and `after` are None where the file could not
    be read; `problem` says why a file was refused. `helpers` is the module of helpers that it imports and must not be
    written without; a module that is not there yet `is_new`. `torch_steps`: whether training steps in it stay torch's
    although other code of the program could become MindSpore; where only safe fixes are made, that code is `held_back`,
    as the step and what it trains are converted together or not at all."""

    path: str
    report: FileReport
    before: SourceText | None = None
    after: SourceText | None = None
    applied: int = 0
    problem: Problem | None = None
    helpers: str = ""
    is_new: bool = False
    unsafe: tuple[Finding, ...] = ()
    torch_steps: bool = False
    held_back: bool = False
