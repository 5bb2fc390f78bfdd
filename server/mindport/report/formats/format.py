"""What an output format is: rows go in as they are found, text comes out through the host's `sink`."""

from __future__ import annotations

import abc
import os
from collections.abc import Callable

import msgspec

from mindport.model.finding import Severity
from mindport.report.rows import FindingRow, InventoryRow, Summary
from mindport.report.text import Painter

Row = FindingRow | InventoryRow
Sink = Callable[[str], None]


class Destination(msgspec.Struct, frozen=True):
    """Where and what to write. `lists_references`: whether the rows are those of the inventory. `root` is the absolute
    path of the repository, which other tools count the paths of files from. Findings from `fails_from` on fail the run;
    none do where it is None. `code` gives a line of a file as it stands there, by its number; empty where it cannot be
    had."""

    sink: Sink
    painter: Painter = Painter(False)
    lists_references: bool = False
    root: str = ""
    fails_from: Severity | None = Severity.WARNING
    code: Callable[[str, int], str] = lambda file, line: ""

    def path(self, file: str) -> str:
        """The path of a file as other tools know it: from the root of the repository on, with slashes."""
        full = os.path.abspath(file)  # noqa: PTH100
        inside = self.root and full.startswith(self.root.rstrip(os.sep) + os.sep)
        return (os.path.relpath(full, self.root) if inside else file).replace(os.sep, "/")


class Writer(abc.ABC):
    """Writes the results of one run to one destination."""

    def __init__(self, destination: Destination) -> None:
        self.destination = destination
        self.sink = destination.sink

    @abc.abstractmethod
    def row(self, row: Row) -> None:
        """Write one row, or keep it until the end."""

    @abc.abstractmethod
    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Write what comes after the last row; `hidden` findings were counted but not written."""


class ByFileWriter(Writer):
    """Keeps the findings until the end, by their files."""

    def __init__(self, destination: Destination) -> None:
        super().__init__(destination)
        self.files: dict[str, list[FindingRow]] = {}

    def row(self, row: Row) -> None:
        """Keep one finding."""
        assert isinstance(row, FindingRow)  # the inventory is not offered in such a form
        self.files.setdefault(row.file, []).append(row)


class Format(msgspec.Struct, frozen=True):
    """One form of output. What is `for_programs` is in English and UTF-8, whatever the terminal's own are;
    `shows_hints` says whether plain renames are written one by one where nobody asks for them, `lists_references`
    whether the inventory can be written so, too."""

    writer: Callable[[Destination], Writer]
    for_programs: bool = True
    shows_hints: bool = False
    lists_references: bool = False
