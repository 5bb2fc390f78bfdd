"""Writes suppression comments, or adds codes to those that stand there."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Mapping, Sequence

import msgspec

from mindport.checking.suppression import find_suppressions, speaks_for
from mindport.model.finding import Finding
from mindport.model.span import Edit, Span
from mindport.rewrite.apply import apply_edits
from mindport.source.lines import LineIndex
from mindport.source.text import SourceText

_CODING = re.compile(r"[ \t\f]*#.*?coding[:=]")
_MOST_LINES = 20  # of a finding, to look for the end of one that takes a comment


def suppression_edit(lines: LineIndex, code: str, line: int) -> Edit | None:
    """The edit that makes `code` ignored on a 1-based line; None where no comment can stand at the end of
    that line, because a string or a backslash carries it on, or where the code is ignored already."""
    edits = suppression_edits(lines, {line: [code]})
    return edits[line] if edits else None


def file_suppression_edit(text: str, code: str) -> Edit | None:
    """The edit that makes `code` ignored in a whole file: one more in its comment for that, or a comment at the top,
    below what must stand there. None where the code is ignored already."""
    for standing in find_suppressions(text):
        if standing.line or standing.until:
            continue
        if code in standing.codes or not standing.codes:
            return None
        end = standing.span.end_column - 1  # in front of the bracket
        return Edit(Span(standing.span.line, end, standing.span.line, end), f", {code}")
    line = 1
    for content in text.splitlines()[:2]:
        if not content.startswith("#!") and not _CODING.match(content):
            break
        line += 1
    return Edit(Span(line, 0, line, 0), f"# mindport: ignore-file[{code}]\n")


def suppression_edits(
    lines: LineIndex, wanted: Mapping[int, Sequence[str]], reason: str = ""
) -> dict[int, Edit]:
    """The edits that make codes ignored on lines, by the lines. Lines that take no comment, or need none, are left
    out; one with a comment that runs out takes no code for longer. New comments give the reason."""
    standing = {one.line: one for one in find_suppressions(lines.text)}
    strings = _Strings(lines.text)
    edits: dict[int, Edit] = {}
    for line, codes in wanted.items():
        there = standing.get(line)
        if there is not None:
            missing = [code for code in codes if code not in there.codes]
            if there.codes and missing and not there.until:
                end = there.span.end_column - 1  # in front of the bracket
                added = "".join(f", {code}" for code in missing)
                edits[line] = Edit(Span(there.span.end_line, end, there.span.end_line, end), added)
            continue
        content = lines.line_text(line)
        if strings.carry_on(line) or content.endswith("\\"):
            continue
        end = len(content)
        gap = "" if content.endswith((" ", "\t")) else "  "
        comment = f"{gap}# mindport: ignore[{', '.join(codes)}] {reason}".rstrip()
        edits[line] = Edit(Span(line, end, line, end), comment)
    return edits


class Ignored(msgspec.Struct, frozen=True):
    """A file whose findings at the places `indexes` comments ignore now; there may be others, which no line takes a
    comment for."""

    source: SourceText
    indexes: frozenset[int]


def with_ignored(source: SourceText, wanted: Mapping[int, Finding], reason: str = "") -> Ignored:
    """A file with comments that ignore findings, which are named by their places in its report. A comment stands on the
    first line of a finding, or on a later one of it where the first cannot have one. What is ignored already, as in a
    file that has two names, needs none."""
    lines = LineIndex(source.text)
    standing = find_suppressions(source.text)
    done = {
        index
        for index, finding in wanted.items()
        if any(speaks_for(comment, finding) and not comment.until for comment in standing)
    }
    left = {index: finding for index, finding in wanted.items() if index not in done}
    edits: dict[int, Edit] = {}
    for offset in range(_MOST_LINES):
        of_line: dict[int, list[int]] = {}
        for index, finding in left.items():
            line = finding.span.line + offset
            if line <= finding.span.end_line and line not in edits:
                of_line.setdefault(line, []).append(index)
        if not of_line:
            break
        codes = {line: sorted({left[index].rule for index in indexes}) for line, indexes in of_line.items()}
        made = suppression_edits(lines, codes, reason)
        edits.update(made)
        for line in made:
            done.update(of_line[line])
            for index in of_line[line]:
                del left[index]
    text = apply_edits(source.text, edits.values(), source.newline)
    return Ignored(msgspec.structs.replace(source, text=text), frozenset(done))


class _Strings:
    """Which lines of a text a string carries on, so that what stands at their end is no code. Text behind a line that
    cannot be read does not matter for it."""

    def __init__(self, text: str) -> None:
        self._inside: set[int] = set()
        self._read_to = 0
        self._is_doubtful = False
        try:
            for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
                self._read_to = token.start[0]
                if token.type not in (tokenize.NEWLINE, tokenize.NL):
                    self._inside.update(range(token.start[0], token.end[0]))
        except (tokenize.TokenError, SyntaxError):
            # Only the end of the text was missing: brackets are open, or a string is.
            self._is_doubtful = "'''" in text or '"""' in text

    def carry_on(self, line: int) -> bool:
        """Whether the end of a line stands in a string, or may."""
        return line in self._inside or (self._is_doubtful and line >= self._read_to)
