"""Statements that change one tensor several times, `average.mul_(decay).add_(value)`: every call gives the tensor
itself, so each can be a statement of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import msgspec

from mindport.model.span import Span
from mindport.model.verdict import Applicability
from mindport.rewrite.pieces import Piece, Rewrite
from mindport.rewrite.spans import span_of
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node


class InPlaceChain(msgspec.Struct, frozen=True):
    """A statement of its own lines: the spans of its calls, the first one first, and of the name that they change."""

    calls: tuple[Span, ...]
    name: Span

    @property
    def span(self) -> Span:
        """The whole statement."""
        return self.calls[-1]


def in_place_chains(text: str, lines: LineIndex) -> Iterator[InPlaceChain]:
    """The chains of a file, none where it does not parse."""
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return
    for node in every_node(tree):
        if not isinstance(node, ast.Expr):
            continue
        calls: list[ast.expr] = []
        below: ast.expr = node.value
        while (receiver := _receiver(below)) is not None:
            calls.append(below)
            below = receiver
        if len(calls) > 1 and _is_dotted(below):
            chain = InPlaceChain(
                tuple(span_of(call, lines) for call in reversed(calls)), span_of(below, lines)
            )
            if _is_alone(chain.span, lines):
                yield chain


def chained_statements(chain: InPlaceChain, rewrites: Sequence[Rewrite], lines: LineIndex) -> Rewrite | None:
    """The calls of a chain as statements: `rewrites` writes each of them as a call on the name. None where one of them
    keeps the calls before it."""
    if any(
        isinstance(piece, Span) and piece.encloses(chain.calls[0])
        for one in rewrites[1:]
        for piece in one.pieces
    ):
        return None
    indent = lines.line_text(chain.span.line)[: chain.span.column]
    name = lines.slice(chain.name)
    pieces: list[Piece] = []
    for one in rewrites:
        pieces += [f"\n{indent}"] if pieces else []
        pieces += [name if piece == chain.name else piece for piece in one.pieces]
    grades = [one.applicability for one in rewrites]
    last = rewrites[-1]
    return msgspec.structs.replace(
        last,
        span=chain.span,
        pieces=tuple(pieces),
        applicability=next(grade for grade in reversed(Applicability) if grade in grades),
        loses_comment=any(one.loses_comment for one in rewrites),
    )


def _receiver(node: ast.expr) -> ast.expr | None:
    """What an in-place method is called on."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    name = node.func.attr
    return node.func.value if name.endswith("_") and not name.endswith("__") else None


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _is_alone(span: Span, lines: LineIndex) -> bool:
    before = lines.line_text(span.line)[: span.column]
    behind = lines.line_text(span.end_line)[span.end_column :]
    return not before.strip() and not behind.partition("#")[0].strip()
