"""Where the nodes of a unit stand in the present text."""

from __future__ import annotations

import ast
from typing import Any

from mindport.model.span import Span
from mindport.source.lines import LineIndex
from mindport.usage.formats import value_in_field
from mindport.usage.variables import Site


class Places:
    """Places of units that are `shift` lines from where they were parsed."""

    def __init__(self, index: LineIndex) -> None:
        self.index = index
        self.shift = 0

    def place(self, line: int, byte_column: int) -> tuple[int, int]:
        """A position of `ast` in the present text."""
        line += self.shift
        return line, self.index.column_of_byte(line, byte_column)

    def span(self, node: Any) -> Span:
        line, column = self.place(node.lineno, node.col_offset)
        end_line, end_column = self.place(node.end_lineno, node.end_col_offset)
        return Span(line, column, end_line, end_column)

    def name_span(self, node: ast.AST, span: Span) -> Span:
        """The last name in an attribute expression; the whole of anything else."""
        if isinstance(node, ast.Attribute):
            return Span(span.end_line, span.end_column - len(node.attr), span.end_line, span.end_column)
        return span

    def formatted_span(self, site: Site) -> Span | None:
        """Where a formatted value stands; None where the text of its f-string does not show it."""
        if site.field is None:
            return self.span(site.node)
        literal, place = site.field
        whole = self.span(literal)
        found = value_in_field(self.index.slice(whole), place, site.node)
        start = self.index.offset(whole.start)
        return None if found is None else self.index.span(start + found[0], start + found[1])
