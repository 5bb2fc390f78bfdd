"""Splits a text into units (top-level statements, and the statements of class bodies) and parses each."""

from __future__ import annotations

import ast
import enum

from mindport.model.span import Span
from mindport.source.lines import LineIndex
from mindport.source.problem import Problem, ProblemKind


class UnitKind(enum.Enum):
    """What a unit is."""

    STATEMENT = "statement"  # top-level statements that begin on one line
    CLASS = "class"  # the header of a top-level class: decorators, name, bases
    MEMBER = "member"  # statements of the body of a top-level class that begin on one line


class Unit:
    """One unit. `statements` are its syntax trees; their line numbers are those of the text they were parsed
    from, `shift` lines off by now. `owner` is the class of a CLASS or MEMBER."""

    __slots__ = ("first_line", "kind", "last_line", "owner", "shift", "statements")

    def __init__(
        self, kind: UnitKind, statements: list[ast.stmt], owner: str, first_line: int, last_line: int
    ) -> None:
        self.kind = kind
        self.statements = statements
        self.owner = owner
        self.first_line = first_line
        self.last_line = last_line
        self.shift = 0


class ParsedModule:
    """The units of a text and what kept parts of it from being parsed."""

    __slots__ = ("problems", "text", "units")

    def __init__(self, text: str, units: list[Unit], problems: tuple[Problem, ...]) -> None:
        self.text = text
        self.units = units
        self.problems = problems

    def update(self, text: str) -> ParsedModule:
        """The same for a changed text."""
        return parse_module(text)


def parse_module(text: str) -> ParsedModule:
    """Parse a whole text. Never raises: what does not parse is a problem."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return ParsedModule(text, [], (_problem(text, error),))
    return ParsedModule(text, split(tree.body), ())


def split(statements: list[ast.stmt]) -> list[Unit]:
    """The units of a list of top-level statements."""
    units: list[Unit] = []
    for node in statements:
        first = node.lineno
        if isinstance(node, ast.ClassDef):
            if node.decorator_list:
                first = min(first, node.decorator_list[0].lineno)
            units.append(Unit(UnitKind.CLASS, [node], node.name, first, node.body[0].lineno))
            for member in node.body:
                units.append(
                    Unit(
                        UnitKind.MEMBER,
                        [member],
                        node.name,
                        member.lineno,
                        member.end_lineno or member.lineno,
                    )
                )
        else:
            units.append(Unit(UnitKind.STATEMENT, [node], "", first, node.end_lineno or first))
    return units


def _problem(text: str, error: Exception) -> Problem:
    line = getattr(error, "lineno", None) or 1
    column = max((getattr(error, "offset", None) or 1) - 1, 0)
    lines = LineIndex(text)
    line = min(line, lines.line_count)
    message = getattr(error, "msg", None) or str(error) or "cannot be parsed"
    return Problem(ProblemKind.SYNTAX, f"does not parse: {message}", Span(line, column, line, column + 1))
