"""The units of a text: top-level statements and the statements of class bodies, and the blocks that they stand in."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable

from mindport.source.changes import TextChange
from mindport.source.depth import Depths
from mindport.source.kept_text import KeptText
from mindport.source.problem import TOO_DEEP, Problem, ProblemKind


class UnitKind(enum.Enum):
    """What a unit is."""

    STATEMENT = "statement"  # top-level statements that begin on one line
    CLASS = "class"  # the header of a top-level class: decorators, name, bases
    MEMBER = "member"  # statements of the body of a top-level class that begin on one line


class Unit:
    """One unit. `statements` are its trees: the same list as long as its text is the same. Their line numbers are those
    of the text they were parsed from, `shift` lines off in the analysed text. `owner` is the class of a CLASS or
    MEMBER. `kept` is the text of the trees where the unit has another one by now."""

    __slots__ = ("kept", "kind", "owner", "shift", "statements")

    def __init__(
        self,
        kind: UnitKind,
        statements: list[ast.stmt],
        owner: str,
        shift: int = 0,
        kept: KeptText | None = None,
    ) -> None:
        self.kind = kind
        self.statements = statements
        self.owner = owner
        self.shift = shift
        self.kept = kept

    @property
    def first_line(self) -> int:
        """The 1-based line on which the unit now begins, decorators included; in the present text."""
        return first_line(self.statements[0]) + self.shift if self.kept is None else self.kept.first_line

    @property
    def _last_line(self) -> int:
        """The last line that its trees have places on; of a class those of its header."""
        last = self.statements[-1]
        if self.kind is UnitKind.CLASS and isinstance(last, ast.ClassDef):
            parts: tuple[ast.expr | ast.keyword, ...] = (*last.decorator_list, *last.bases, *last.keywords)
            return max([last.lineno, *(part.end_lineno or 0 for part in parts)]) + self.shift
        return (last.end_lineno or last.lineno) + self.shift

    def moved(self, lines: int) -> Unit:
        """The same unit, further down."""
        return Unit(self.kind, self.statements, self.owner, self.shift + lines, self.kept)

    def kept_at(self, line: int) -> Unit:
        """The same unit with its kept text on a line of the analysed text."""
        return Unit(self.kind, self.statements, self.owner, line - first_line(self.statements[0]), self.kept)

    def after(self, changes: Iterable[TextChange], old: list[str]) -> Unit:
        """The same trees after changes of the lines `old`, the last one first, in a text in which the unit does not
        parse any more."""
        unit = self
        for change in changes:
            unit = unit._after(change, old)
        return unit

    def _after(self, change: TextChange, old: list[str]) -> Unit:
        if self.kept is not None:
            kept = self.kept.after(change)
        elif self.first_line > change.last:
            return self.moved(change.added_lines) if change.added_lines else self
        elif self._last_line < change.start[0]:
            return self
        else:
            lines = old[self.first_line - 1 : self._last_line]
            kept = KeptText(lines, self.first_line).after(change)
        return Unit(self.kind, self.statements, self.owner, self.shift, kept)


class Block:
    """A top-level statement with all its units, and the lines up to the next one. `problem` is set while its text does
    not parse: the units are then those of the last text that did."""

    __slots__ = ("broken_members", "first", "problem", "units")

    def __init__(self, first: int, units: list[Unit], problem: Problem | None = None) -> None:
        self.first = first
        self.units = units
        self.problem = problem
        # In a class of which only some members are broken: the first and the last of them, counted without the header.
        self.broken_members: tuple[int, int] | None = None


def first_line(node: ast.stmt) -> int:
    """The line on which a statement begins, its decorators included."""
    decorators = getattr(node, "decorator_list", None)
    return min(node.lineno, decorators[0].lineno) if decorators else node.lineno


def blocks_of(statements: list[ast.stmt], start: int, shift: int, lines: list[str]) -> list[Block]:
    """The blocks of statements that were parsed from line `start` on; statements on one line share a block."""
    blocks: list[Block] = []
    end = -1
    for node in statements:
        if first_line(node) <= end:
            # `a = 1; b = 2`, or a statement behind the end of a class on the same line
            blocks[-1].units.append(Unit(UnitKind.STATEMENT, [node], "", shift))
        else:
            blocks.append(Block(first_line(node) + shift, _units_of(node, shift)))
        end = node.end_lineno or node.lineno
    if blocks:
        blocks[0].first = start
    depths = Depths(lines)
    for block in blocks:
        leave_out_deep_units(block, depths)
    return blocks


def leave_out_deep_units(block: Block, depths: Depths) -> None:
    """Take the units out that are nested deeper than can be followed, with a problem where the first of them is."""
    for unit in list(block.units):
        if unit.kind is UnitKind.CLASS:
            continue  # its body is in other units
        place = next((at for one in unit.statements if (at := depths.too_deep(one, unit.shift))), None)
        if place is not None:
            block.units.remove(unit)
            block.problem = block.problem or Problem(ProblemKind.TOO_DEEP, TOO_DEEP, place)


def _units_of(node: ast.stmt, shift: int) -> list[Unit]:
    if not isinstance(node, ast.ClassDef):
        return [Unit(UnitKind.STATEMENT, [node], "", shift)]
    return [Unit(UnitKind.CLASS, [node], node.name, shift), *members_of(node.body, node.name, shift)]


def members_of(body: list[ast.stmt], owner: str, shift: int) -> list[Unit]:
    """The units of the body of a class; statements on one line share one."""
    members: list[Unit] = []
    end = -1
    for node in body:
        if first_line(node) <= end:
            members[-1].statements.append(node)
        else:
            members.append(Unit(UnitKind.MEMBER, [node], owner, shift))
        end = node.end_lineno or node.lineno
    return members


def as_tiles(blocks: list[Block]) -> list[Block]:
    """Blocks that together cover all lines: the first begins on line 1."""
    if blocks:
        blocks[0].first = 1
    return blocks


def block_after(block: Block, change: TextChange, old: list[str]) -> Block:
    """A block behind a change of the lines `old`."""
    delta, problem = change.added_lines, block.problem
    if problem is None:
        return Block(block.first + delta, [unit.moved(delta) for unit in block.units]) if delta else block
    problem = problem.moved(delta)
    moved = Block(block.first + delta, [unit.after((change,), old) for unit in block.units], problem)
    moved.broken_members = block.broken_members
    return moved
