"""Splits a text into units (top-level statements, and the statements of class bodies), parses each, and follows edits:
units whose text did not change are kept as they are, and a broken one keeps its last good tree, with the text of it.

The units are those of the *analysed text*: the present one, and behind it the kept texts of the units that have
changed since they parsed. So every place of a tree is exact in it, and one that lies behind the present text tells by
that alone that it has to be looked for there: `ParsedModule.present`.

Why pieces fit together: a piece that starts where a statement starts and parses by itself leaves the tokenizer as it
found it, so a text whose pieces all parse is parsed to exactly those pieces."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right

from mindport.model.span import Span
from mindport.source.changes import TextChange, change_between, changes_between, split_lines
from mindport.source.depth import Depths
from mindport.source.kept_text import KeptText
from mindport.source.problem import Problem, syntax_problem
from mindport.source.recovery import recovered_pieces
from mindport.source.syntax import SYNTAX_ERRORS, parse_statements
from mindport.source.units import (
    Block,
    Unit,
    UnitKind,
    as_tiles,
    block_after,
    blocks_of,
    leave_out_deep_units,
    members_of,
)

# A block that begins so belongs to the statement before it.
_CONTINUES = re.compile(r"[ \t\f]|(?:else|elif|except|finally)\b")
_NOTHING = re.compile(r"[ \t\f]*(?:#.*)?$")


class ParsedModule:
    """The units of a text and what kept parts of it from being parsed."""

    __slots__ = ("_blocks", "_kept", "lines", "problems", "units")

    def __init__(self, lines: list[str], blocks: list[Block]) -> None:
        self.lines = lines
        self._blocks = blocks
        self.units: list[Unit] = [unit for block in blocks for unit in block.units]
        self.problems: tuple[Problem, ...] = tuple(
            block.problem for block in blocks if block.problem is not None
        )
        # With the lines of the analysed text on which they begin.
        self._kept: list[tuple[int, KeptText]] = []
        if self.problems:
            self._place_kept_texts()

    def _place_kept_texts(self) -> None:
        line = len(self.lines) + 1
        for index, unit in enumerate(self.units):
            if unit.kept is not None:
                self.units[index] = unit.kept_at(line)
                self._kept.append((line, unit.kept))
                line += len(unit.kept.lines)

    @property
    def has_kept_texts(self) -> bool:
        """Whether units have changed since they parsed, so that places may lie behind the present text."""
        return bool(self._kept)

    def analysed_text(self, text: str) -> str:
        """The text that all places of the units are in; `text` is the present one."""
        if not self._kept:
            return text
        # A line feed behind a carriage return would be one line end with it.
        end = "\r" if text.endswith("\r") else "\n"
        return text + end + "\n".join(line for _, kept in self._kept for line in kept.lines)

    def text_of(self, unit: Unit) -> str:
        """The lines of a unit that its trees are of."""
        if unit.kept is not None:
            return "\n".join(unit.kept.lines)
        end = unit.statements[-1].end_lineno or unit.statements[-1].lineno
        return "\n".join(self.lines[unit.first_line - 1 : end + unit.shift])

    def is_present(self, span: Span) -> bool:
        """Whether a stretch of the analysed text lies in the present one, and not in a kept text."""
        return span.end_line <= len(self.lines)

    def present(self, span: Span) -> Span | None:
        """Where a stretch of the analysed text is in the present one; None where that is not certain."""
        if self.is_present(span):
            return span
        index = bisect_right(self._kept, span.line, key=lambda one: one[0]) - 1
        if index < 0:
            return None
        line, kept = self._kept[index]
        return kept.present(span.shifted(1 - line), self.lines)

    def update(self, text: str) -> ParsedModule:
        """The same for a changed text. Where the text parses, the trees equal those of a fresh parse."""
        lines = split_lines(text)
        blocks = self._blocks
        if not blocks:
            return parse_module(text)
        change = change_between(self.lines, lines)
        if change is None:
            return self
        first, last, delta = change.start[0], change.last, change.added_lines
        starts = [block.first for block in blocks]
        start = max(bisect_right(starts, first) - 1, 0)
        stop = max(bisect_right(starts, max(last, first)) - 1, start)
        broken = next((index for index, block in enumerate(blocks) if block.problem is not None), len(blocks))
        if (
            broken >= start
            and start == stop
            and (blocks[start].problem is None or blocks[start].broken_members is not None)
        ):
            changed = _updated_class(blocks[start], self._end_of(stop), self.lines, lines, change)
            if changed is not None and changed.problem is None:
                return self._healed(lines, start, stop, [changed], change)
            if changed is not None:
                return ParsedModule(lines, [*blocks[:start], changed, *self._behind(stop, change)])
        start = self._start_of_region(start, lines)
        region_end = self._end_of(stop) + delta
        region = _parse_region(lines, blocks[start].first, region_end)
        if isinstance(region, list):
            return self._healed(lines, start, stop, region, change)
        # An earlier broken block may have waited for what was changed here.
        earliest = min(broken, start)
        rest = _parse_region(lines, blocks[earliest].first, len(lines))
        if isinstance(rest, list):
            return self._healed(lines, earliest, len(blocks) - 1, rest, change)
        # The units stay those of the last text that did.
        changes, before = changes_between(self.lines, lines), blocks[start : stop + 1]
        units = [unit.after(changes, self.lines) for block in before for unit in block.units]
        problem = syntax_problem(lines, before[0].first, region_end, region, before[0].first - 1)
        kept = Block(before[0].first, units, problem)
        return ParsedModule(lines, [*blocks[:start], kept, *self._behind(stop, change)])

    def _behind(self, block: int, change: TextChange) -> list[Block]:
        """The blocks behind one, after a change that lies before them."""
        return [block_after(one, change, self.lines) for one in self._blocks[block + 1 :]]

    def _start_of_region(self, start: int, lines: list[str]) -> int:
        """The first block to parse again: an earlier one where the changed text continues it."""
        while start > 0:
            index = self._blocks[start].first - 1
            while index < len(lines) and _NOTHING.match(lines[index]):
                index += 1
            begins = lines[index] if index < len(lines) else ""
            before = lines[self._blocks[start].first - 2]
            if not _CONTINUES.match(begins) and not before.endswith("\\"):
                break
            start -= 1
        return start

    def _end_of(self, block: int) -> int:
        """The last line of a block, the blank ones behind it included."""
        return self._blocks[block + 1].first - 1 if block + 1 < len(self._blocks) else len(self.lines)

    def _healed(
        self, lines: list[str], start: int, stop: int, new: list[Block], change: TextChange
    ) -> ParsedModule:
        """With some blocks replaced. Other broken ones may be whole again now, if their strings and brackets end
        in what was changed: then everything from the first of them on is parsed."""
        blocks = [*self._blocks[:start], *new, *self._behind(stop, change)]
        for index, block in enumerate(blocks):
            if block.problem is not None:
                rest = _parse_region(lines, block.first, len(lines))
                if isinstance(rest, list):
                    blocks[index:] = rest
                break
        return ParsedModule(lines, blocks)


def parse_module(text: str) -> ParsedModule:
    """Parse a whole text. Never raises: what does not parse is a problem, and the rest is there."""
    lines = split_lines(text)
    try:
        statements = parse_statements(text)
    except SYNTAX_ERRORS as error:
        blocks = []
        for piece in recovered_pieces(lines):
            added = blocks_of(piece.statements, piece.first, piece.first - 1, lines) or [
                Block(piece.first, [])
            ]
            if piece.error is not None:
                added[0].problem = syntax_problem(
                    lines, piece.first, piece.last, piece.error, piece.error_shift
                )
            blocks.extend(added)
        if all(block.problem is None for block in blocks):
            # Each piece parses, but not together.
            blocks[0].problem = syntax_problem(lines, 1, len(lines), error)
        return ParsedModule(lines, as_tiles(blocks))
    return ParsedModule(lines, as_tiles(blocks_of(statements, 1, 0, lines)))


def _parse_region(lines: list[str], first: int, last: int) -> list[Block] | Exception:
    """The blocks of some lines, or why they do not parse. Lines without statements give one empty block."""
    try:
        # A backslash at the end of the text continues nothing, where another line behind it would do.
        ending = "\n" if last < len(lines) else ""
        statements = parse_statements("\n".join(lines[first - 1 : last]) + ending)
    except SYNTAX_ERRORS as error:
        return error
    return blocks_of(statements, first, first - 1, lines) or [Block(first, [])]


def _updated_class(
    block: Block, block_end: int, old: list[str], lines: list[str], change: TextChange
) -> Block | None:
    """The block of a class in which only the text of members changed, broken or not; None where that is not plain."""
    first, last, delta = change.start[0], change.last, change.added_lines
    if not block.units or block.units[0].kind is not UnitKind.CLASS:
        return None
    members = block.units[1:]
    if not members or any(unit.kind is not UnitKind.MEMBER for unit in members):
        return None
    starts = [unit.first_line for unit in members]
    header_end = starts[0]
    low = bisect_right(starts, first) - 1
    high = bisect_right(starts, max(last, first)) - 1
    if low < 0 or header_end <= block.units[0].first_line:
        return None
    if block.broken_members is not None:
        low, high = min(low, block.broken_members[0]), max(high, block.broken_members[1])
    region_first = starts[low]
    region_last = (starts[high + 1] - 1 if high + 1 < len(starts) else block_end) + delta
    region = lines[region_first - 1 : region_last]
    indentation = re.match(r"[ \t]*", region[0]) if region else None
    if indentation is None or not indentation[0] or _NOTHING.match(region[0]):
        return None
    # The lines around the region must be members at the same depth, written the same way.
    for unit in (members[max(low - 1, 0)], members[min(high + 1, len(members) - 1)]):
        line = unit.first_line + (delta if unit.first_line > last else 0)
        if unit not in members[low : high + 1] and not _is_indented(lines[line - 1], indentation[0]):
            return None
    if low > 0 and lines[region_first - 2].endswith("\\"):
        return None
    rest = [unit.moved(delta) if delta else unit for unit in members[high + 1 :]]
    try:
        body = parse_statements("\n".join(("class _:", *region, "")))
    except SYNTAX_ERRORS as error:
        try:
            parse_statements("\n".join(("class _:", *lines[region_first - 1 :], "")))
        except SYNTAX_ERRORS:
            # Whatever comes behind does not make it whole, so the text as a whole does not parse.
            changes = changes_between(old, lines)
            kept = [unit.after(changes, old) for unit in block.units]
            problem = syntax_problem(lines, region_first, region_last, error, region_first - 2)
            broken = Block(block.first, kept, problem)
            broken.broken_members = (low, high)
            return broken
        return None
    if len(body) != 1 or not isinstance(body[0], ast.ClassDef):
        return None
    owner = block.units[0].owner
    new = members_of(body[0].body, owner, region_first - 2)
    changed = Block(block.first, [block.units[0], *members[:low], *new, *rest])
    leave_out_deep_units(changed, Depths(lines))
    return changed


def _is_indented(line: str, indentation: str) -> bool:
    return line.startswith(indentation) and not line[len(indentation) : len(indentation) + 1].isspace()
