"""The logical lines of a text, and how to move them: indent, delete, replace, insert. What comes out is one rewrite
in which every line that stays is a hole: the fixes inside it are made as well, and comments stay with their lines."""

from __future__ import annotations

import ast
import io
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Sequence

import msgspec

from mindport.model.span import Position, Span
from mindport.model.verdict import Applicability
from mindport.rewrite.pieces import Piece, Rewrite, Shift
from mindport.rewrite.spans import span_of
from mindport.rewrite.training.flow import suites
from mindport.source.lines import LineIndex

Line = tuple[Piece, ...]  # a line of new text without its indentation; empty for a blank one

_NO_CODE = frozenset(
    (tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE, tokenize.ENDMARKER)
)


class LogicalLine(msgspec.Struct, frozen=True):
    """A simple statement or the header of a compound one, from its first to its last token without the comment."""

    span: Span
    indent: str


def logical_lines(lines: LineIndex) -> tuple[LogicalLine, ...]:
    """All logical lines of a text in their order; none where the tokenizer refuses it."""
    found: list[LogicalLine] = []
    start: Position | None = None
    end = Position(1, 0)
    text = lines.text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type not in _NO_CODE:
                start = start or Position(*token.start)
                end = Position(*token.end)
            elif token.type == tokenize.NEWLINE and start is not None:
                indent = lines.line_text(start.line)[: start.column]
                found.append(LogicalLine(Span(start.line, start.column, end.line, end.column), indent))
                start = None
    except (tokenize.TokenError, SyntaxError, ValueError):
        return ()
    return tuple(found)


class Layout:
    """Moves of the logical lines of one text. Lines are named by their place in `self.lines`."""

    def __init__(self, index: LineIndex, lines: tuple[LogicalLine, ...]) -> None:
        self.index = index
        self.lines = lines
        self._first_rows = [line.span.line for line in lines]
        self._deeper: dict[int, int] = {}
        self._deleted: set[int] = set()
        self._new: dict[int, tuple[Line, ...]] = {}
        self._without_comments: dict[int, int] = {}  # -> how many lines of comments above it were taken away
        # By the line that they stand at: the line that their levels are counted from, the levels, and the text.
        self._before: dict[int, list[tuple[int, int, Line]]] = {}
        self._after: dict[int, list[tuple[int, int, Line]]] = {}

    def at(self, node: ast.stmt | ast.expr) -> int:
        """The logical line that a statement or expression begins in."""
        return max(bisect_right(self._first_rows, node.lineno) - 1, 0)

    def stands_alone(self, node: ast.stmt) -> bool:
        """Whether a statement begins and ends a logical line of its own, and so do those inside it."""
        if not self.lines:
            return False
        span = span_of(node, self.index)
        first = self.lines[self.at(node)].span
        if first.start != span.start and not getattr(node, "decorator_list", None):
            return False
        inner = [one for body in suites(node) for one in body]
        if not inner:
            return first.end == span.end
        return all(one.lineno > node.lineno and self.stands_alone(one) for one in inner)

    def opens_a_block(self, number: int) -> bool:
        """Whether a line is the first of its block."""
        above = number - 1
        while above in self._deleted:
            above -= 1
        if above < 0:
            return True
        depths = [len(self._indent_of(one)) for one in (above, number)]
        return depths[0] < depths[1]

    def is_alone_in_block(self, number: int) -> bool:
        """Whether its block has no other line that stays."""
        depth = len(self.lines[number].indent)
        start = end = number
        while start and len(self.lines[start - 1].indent) >= depth:
            start -= 1
        while end + 1 < len(self.lines) and len(self.lines[end + 1].indent) >= depth:
            end += 1
        block = [one for one in range(start, end + 1) if len(self.lines[one].indent) == depth]
        return bool(start) and all(one == number or one in self._deleted for one in block)

    def indent(self, first: int, last: int, levels: int = 1) -> None:
        """Indent the lines from `first` to `last`."""
        for number in range(first, last + 1):
            self._deeper[number] = self._deeper.get(number, 0) + levels

    def delete(self, number: int) -> None:
        """Leave out a line; its comments stay."""
        if self.is_alone_in_block(number):
            self.replace(number, ("pass",))
        else:
            self._deleted.add(number)

    def delete_block(self, node: ast.stmt) -> None:
        """Leave out a compound statement; its comments stay."""
        number = self.at(node)
        self._deleted.update(range(number + 1, self.last_of(node) + 1))
        self.delete(number)

    def take_comments(self, number: int) -> tuple[Line, ...]:
        """Take away the comments that touch a line from above, and give them to whoever writes them elsewhere."""
        count = _own_comments(self._above(number))
        self._without_comments[number] = count
        first = self.lines[number].span.line - count
        return tuple((self.index.line_text(first + row).strip(),) for row in range(count))

    def touches(self, number: int) -> bool:
        """Whether a line stands right below the one before."""
        return not self._above(number)

    def _above(self, number: int) -> list[str]:
        """The lines between a line and the one before."""
        above = self.lines[number - 1].span.end_line if number else 0
        return [self.index.line_text(row) for row in range(above + 1, self.lines[number].span.line)]

    def last_of(self, node: ast.stmt) -> int:
        """The last logical line of a statement."""
        return max(bisect_right(self._first_rows, node.end_lineno or node.lineno) - 1, 0)

    def unwrap(self, header: int, first: int, last: int) -> None:
        """Leave out the header of a block, whose lines are `first` to `last`."""
        self._deleted.add(header)
        self.indent(first, last, -1)

    def replace(self, number: int, *new: Line) -> None:
        """Write other lines in place of one."""
        self._new[number] = new

    def depth(self, number: int) -> int:
        """By how many levels a line is indented so far."""
        return self._deeper.get(number, 0)

    def insert_before(self, number: int, depth: int, *new: Line) -> None:
        """Write lines above one and the comments that touch it. `depth` is as `depth()` counts; what is inserted later
        stands further down."""
        self._before.setdefault(number, []).extend((number, depth, line) for line in new)

    def insert_after(self, number: int, depth: int, *new: Line, like: int | None = None) -> None:
        """Write lines below one and its comment; `depth` counts from the line itself, or from the one it is to be
        `like`."""
        start = number if like is None else like
        self._after.setdefault(number, []).extend((start, depth, line) for line in new)

    def rewrites(self, applicability: Applicability, title: str) -> Iterator[Rewrite]:
        """All moves, one rewrite for each statement of the module in which there are some; one for those that follow
        each other where the line above a move is moved itself."""
        moved = {*self._deeper, *self._deleted, *self._new, *self._before, *self._after}
        if not moved:
            return
        starts = [number for number, line in enumerate(self.lines) if not line.indent]
        parts: dict[int, list[int]] = {}
        for number in sorted(moved):
            parts.setdefault(bisect_right(starts, number), []).append(number)
        apart: list[list[int]] = []
        for part in parts.values():
            first = self._beginning(min(part), max(part))
            if apart and first is not None and first <= apart[-1][-1]:
                apart[-1] += part
            else:
                apart.append(part)
        for part in apart:
            found = self._rewrite(part, applicability, title)
            if found is not None:
                yield found

    def _rewrite(self, moved: Sequence[int], applicability: Applicability, title: str) -> Rewrite | None:
        last = max(moved)
        first = self._beginning(min(moved), last)
        if first is None:
            return None
        pieces: list[Piece] = []
        shifts: list[Shift] = []
        for number in range(first, last + 1):
            if number > first:
                pieces += self._gap(number)
            if number in self._deleted:
                continue
            pieces += self._line(number)
            shifts += self._shift(number)
        pieces += self._inserted(self._after.get(last, ()))
        start, end = self.lines[first].span.start, self.lines[last].span.end
        span = Span(start.line, start.column, end.line, end.column)
        api = "torch.Tensor.backward"
        return Rewrite(span, tuple(pieces), applicability, title, api, shifts=tuple(shifts))

    def _beginning(self, first: int, last: int) -> int | None:
        """The nearest line above all that is moved which is not moved itself and not deeper than any of them."""
        least = min(len(self.lines[number].indent) for number in range(first, last + 1))
        for number in range(first - 1, -1, -1):
            least = min(least, len(self.lines[number].indent))
            if len(self.lines[number].indent) == least:
                return number
        return None

    def _line(self, number: int) -> list[Piece]:
        """One line, or what stands for it."""
        line = self.lines[number]
        if number not in self._new:
            return [line.span]
        separator = "\n" + self._indent_of(number)
        pieces: list[Piece] = []
        for place, new in enumerate(self._new[number]):
            pieces += [separator, *new] if place else new
        return pieces

    def _shift(self, number: int) -> Iterator[Shift]:
        """By how much the further lines of one that stays are moved with it."""
        line = self.lines[number]
        columns = len(self._indent_of(number)) - len(line.indent)
        if columns and number not in self._new and line.span.end_line > line.span.line:
            yield Shift(line.span, columns, self._unit(number)[:1])

    def _gap(self, number: int) -> list[Piece]:
        """What stands between the line before and this one: a comment behind, comments between, the indentation."""
        above, line = self.lines[number - 1], self.lines[number]
        text = self.index.slice(
            Span(above.span.end_line, above.span.end_column, line.span.line, line.span.column)
        )
        behind, *between = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        pieces: list[Piece] = []
        if number - 1 not in self._deleted:
            pieces.append(behind)
        elif behind.strip():
            pieces.append("\n" + self._indent_of(number - 1) + behind.lstrip())
        pieces += self._inserted(self._after.get(number - 1, ()))
        comments = between[:-1]
        comments = comments[: len(comments) - self._without_comments.get(number, 0)]
        is_blank_below = not behind.strip() and bool(comments) and not comments[0].strip()
        if number - 1 in self._deleted and is_blank_below and self._is_below_blank(number - 1):
            comments = comments[1:]
        inserted = self._inserted(self._before.get(number, ()))
        own = _own_comments(comments) if inserted else 0
        outer = comments[: len(comments) - own]
        # A comment belongs to the line below it; blank lines at the seam of a new function do not.
        for comment in outer:
            stays = inserted and self.depth(number) > 0
            pieces.append("\n" + (comment if stays else self._moved(comment, number)))
        is_blank_above = not outer[-1].strip() if outer else self._follows_a_gap(number, behind)
        if is_blank_above and inserted[:1] == ["\n"]:
            inserted = inserted[1:]
        pieces += inserted
        for comment in comments[len(comments) - own :]:
            pieces.append("\n" + self._moved(comment, number))
        if number not in self._deleted:
            pieces.append("\n" + self._indent_of(number))
        return pieces

    def _follows_a_gap(self, number: int, behind: str) -> bool:
        """Whether only lines that go stand between a line and a blank one above it."""
        above = number - 1
        if above not in self._deleted or behind.strip():
            return False
        return self._is_below_blank(above) or self._follows_a_gap(above, "")

    def _is_below_blank(self, number: int) -> bool:
        """Whether a blank line is right above a line: if it goes, the one below it goes, too."""
        above = self.lines[number].span.line - self._without_comments.get(number, 0) - 1
        return not self.index.line_text(above).strip()

    def _moved(self, comment: str, number: int) -> str:
        if not comment.strip():
            return comment
        levels = self._deeper.get(number, 0)
        unit = self._unit(number)
        if levels >= 0:
            return unit * levels + comment
        return comment.removeprefix(unit * -levels)

    def _indent_of(self, number: int) -> str:
        return self._moved_indent(number, self._deeper.get(number, 0))

    def _moved_indent(self, number: int, levels: int) -> str:
        indent, unit = self.lines[number].indent, self._unit(number)
        return indent + unit * levels if levels >= 0 else indent.removesuffix(unit * -levels)

    def _unit(self, number: int) -> str:
        """One level of indentation as the file writes it."""
        indent = self.lines[number].indent
        if indent.startswith("\t"):
            return "\t"
        depths = [len(line.indent) for line in self.lines if line.indent]
        return " " * min(depths, default=4)

    def _inserted(self, new: Sequence[tuple[int, int, Line]]) -> list[Piece]:
        pieces: list[Piece] = []
        for start, levels, line in new:
            pieces += ["\n" + self._moved_indent(start, levels), *line] if line else ["\n"]
        return pieces


def _own_comments(comments: Sequence[str]) -> int:
    """How many of the lines above a line are comments that touch it."""
    count = 0
    for comment in reversed(comments):
        if not comment.strip():
            break
        count += 1
    return count
