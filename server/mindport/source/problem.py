"""What kept a file, or a part of it, from being read: plain data that travels beside the results."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence

import msgspec

from mindport.model.language import later, say
from mindport.model.span import Span
from mindport.source.former_keywords import ASYNC_ARGUMENT
from mindport.source.reasons import said

FILE_START = Span(1, 0, 1, 0)
TOO_DEEP = later("is nested too deeply to be analysed")


class ProblemKind(enum.Enum):
    """The closed set of reasons. The value is the word used in machine-readable output."""

    MISSING = "missing"  # there is no such file
    DIRECTORY = "directory"  # a directory where a file was asked for
    NOT_A_FILE = "not a file"  # a pipe, socket or device; reading it could wait for ever
    UNREADABLE = "unreadable"  # permissions, input/output errors
    TOO_LARGE = "too large"
    ENCODING = "encoding"  # bytes that are not what the file says they are
    NULL_BYTE = "null byte"
    SYNTAX = "syntax"  # text that does not parse
    TOO_DEEP = "too deep"  # code that is nested deeper than the stack reaches
    UNWRITABLE = "unwritable"
    CHANGED = "changed"  # the file on disk is no longer the one that was read
    LOOP = "loop"  # a link that leads to itself
    INTERNAL = "internal error"  # a defect of mindport itself


# What nobody can mend in the file: mindport does not do its work on it.
FAILURES = frozenset((ProblemKind.TOO_DEEP, ProblemKind.INTERNAL))

_LINE = re.compile(r"\bline (\d+)")


class Problem(msgspec.Struct, frozen=True):
    """One thing that could not be read or written. `sentence` is English, starts in lower case and says what to do
    where that is not plain; `values` go into its places. `span` is the place in the file, its start where there is no
    better one."""

    kind: ProblemKind
    sentence: str
    span: Span = FILE_START
    path: str = ""
    cell: int | None = None  # of a notebook; `span` is counted from its first line then
    values: Mapping[str, str | int | float] = {}

    @property
    def message(self) -> str:
        """The sentence in the language in force. A `reason` is what the system or Python's parser say."""
        reason = self.values.get("reason")
        return say(
            self.sentence, **self.values if reason is None else {**self.values, "reason": said(str(reason))}
        )

    def moved(self, lines: int) -> Problem:
        """The same so many lines further down. The parser's reason may name a line, too: that of another bracket, or of
        what an error follows."""
        values = self.values
        if lines and self.kind is ProblemKind.SYNTAX and "reason" in values:
            values = {**values, "reason": _with_lines_moved(str(values["reason"]), lines)}
        return msgspec.structs.replace(self, span=self.span.shifted(lines), values=values)

    def __str__(self) -> str:
        if self.span == FILE_START and self.cell is None:
            return f"{self.path}: {self.message}" if self.path else self.message
        cell = "" if self.cell is None else f"cell {self.cell}:"
        return f"{self.path}:{cell}{self.span.line}:{self.span.column + 1}: {self.message}"


def _with_lines_moved(reason: str, lines: int) -> str:
    return _LINE.sub(lambda match: f"line {int(match[1]) + lines}", reason) if lines else reason


def syntax_problem(lines: Sequence[str], first: int, last: int, error: Exception, shift: int = 0) -> Problem:
    """What is wrong with the lines; the place is the error's own where it has one inside them. `shift` is what the
    lines that the error speaks of are to be counted on, in its message, too."""
    line = (getattr(error, "lineno", None) or first - shift) + shift
    column = max((getattr(error, "offset", None) or 1) - 1, 0)
    if not first <= line <= last:
        line, column = first, 0
    column = min(column, len(lines[line - 1]) if line <= len(lines) else 0)
    message = getattr(error, "msg", None) or str(error) or "cannot be parsed"
    sentence = later("does not parse: {reason}")
    if line <= len(lines) and ASYNC_ARGUMENT.search(lines[line - 1]):
        sentence = later(
            "does not parse: `async` is a keyword since Python 3.7, and torch calls the argument `non_blocking` today"
        )
    place = Span(line, column, line, column + 1)
    return Problem(ProblemKind.SYNTAX, sentence, place, values={"reason": _with_lines_moved(message, shift)})
