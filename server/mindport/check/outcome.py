"""What a check gives to the hosts: small plain data that crosses processes and fits into a cache."""

from __future__ import annotations

import msgspec

from mindport.model.finding import Finding
from mindport.model.verdict import Applicability, Verdict
from mindport.source.problem import Problem
from mindport.source.text import SourceText
from mindport.usage.api_use import ApiUse


class ApiTally(msgspec.Struct, frozen=True):
    """How often one file refers to one API with one answer; `fix` is the best that may be done."""

    api: str
    verdict: Verdict
    fix: Applicability | None
    count: int


class FileReport(msgspec.Struct, frozen=True):
    """One file checked: findings in order of place, and for each of them the best that may be done about it.
    A file that could not be read has `is_readable` False and one finding that says why."""

    path: str
    findings: tuple[Finding, ...] = ()
    fixes: tuple[Applicability | None, ...] = ()  # as many as findings
    tallies: tuple[ApiTally, ...] = ()
    suppressed: int = 0
    is_readable: bool = True


class Reference(msgspec.Struct, frozen=True):
    """One use with what can be said of it, for the inventory. `reason` says why there is no fix, or none that
    is safe."""

    use: ApiUse
    verdict: Verdict
    fix: Applicability | None
    reason: str = ""


class FileInventory(msgspec.Struct, frozen=True):
    """Every reference of one file, in order of place; `problem` says why a file has none that could be
    read."""

    path: str
    references: tuple[Reference, ...] = ()
    problem: Problem | None = None


class FileFix(msgspec.Struct, frozen=True):
    """One file after its fixes, not yet written. `after` is `before` where nothing was applied. `report` is
    of the text after. `problem` is set where the file may not be touched: it could not be read whole, or has
    changes that are not committed; then `after` is not to be written."""

    path: str
    before: SourceText | None
    after: SourceText | None
    applied: int
    report: FileReport
    problem: Problem | None = None
