"""Finds code that is nested deeper than the stack reaches. Every later step follows trees by calling itself, so what is
too deep for any of them is left out at the door, with its place, and costs nothing else."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import accumulate

from mindport.model.span import Span
from mindport.source.trees import children

# With the recursion that the hosts allow, every step of a check and a fix was seen to follow 1,900 branches of one `if`
# and 3,150 levels of an expression; a level of statements takes that much more of the stack.
MOST_LEVELS = 3000
_LEVELS_OF_A_STATEMENT = 1.5
_WITH_CHILDREN = (
    ast.keyword,
    ast.comprehension,
    ast.withitem,
    ast.ExceptHandler,
    ast.match_case,
    ast.pattern,
    ast.arguments,
)


class Depths:
    """Tells for the statements of a text which are nested too deeply."""

    __slots__ = ("_lines", "_starts")

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._starts = [0, *accumulate(len(line) + 1 for line in lines)]

    def too_deep(self, statement: ast.stmt, shift: int = 0) -> Span | None:
        """Where a statement is nested too deeply, if it is. It was parsed from a text that begins `shift` lines further
        down in the whole one."""
        if self._length(statement, shift) < MOST_LEVELS:
            return None
        waiting: list[tuple[ast.AST, float, ast.stmt | ast.expr]] = [(statement, 0, statement)]
        while waiting:
            node, depth, place = waiting.pop()
            if depth > MOST_LEVELS:
                return self._place(place, shift)
            for child in children(node):
                if isinstance(child, ast.stmt):
                    waiting.append((child, depth + _LEVELS_OF_A_STATEMENT, child))
                elif isinstance(child, ast.expr):
                    # A level takes a character at least: short expressions, which are most, need no look.
                    if depth + self._length(child, shift) > MOST_LEVELS:
                        waiting.append((child, depth + 1, child))
                elif isinstance(child, _WITH_CHILDREN):
                    waiting.append((child, depth + 1, place))
        return None

    def _length(self, node: ast.stmt | ast.expr, shift: int) -> int:
        starts = self._starts
        first, last = node.lineno + shift, (node.end_lineno or node.lineno) + shift
        if last > len(starts):  # a piece that was parsed with lines of its own
            return MOST_LEVELS
        return starts[last - 1] + (node.end_col_offset or 0) - starts[first - 1] - node.col_offset

    def _place(self, node: ast.stmt | ast.expr, shift: int) -> Span:
        line = node.lineno + shift
        # The tree counts bytes.
        before = self._lines[line - 1].encode("utf-8", "surrogatepass")[: node.col_offset]
        column = len(before.decode("utf-8", "ignore"))
        return Span(line, column, line, column + 1)
