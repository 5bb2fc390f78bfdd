"""Writes the torch names out that an expression looks up by a string, `getattr(nn, kind)`: each is then converted."""

from __future__ import annotations

import ast

from mindport.mapping.judgement import Judgement
from mindport.model.language import say
from mindport.model.span import Span
from mindport.rewrite.pieces import Piece, Rewrite
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_expression
from mindport.usage.api_use import ApiUse


def names_written_out(use: ApiUse, judgement: Judgement, lines: LineIndex) -> tuple[Rewrite, ...]:
    """A dictionary of the names that a use may look up in place of the module; empty where the text is another than
    `getattr(module, name)`, the same with a default, or `module.__dict__`."""
    assert judgement.applicability is not None
    text = lines.slice(use.span)
    try:
        node = parse_expression(text)
    except SYNTAX_ERRORS:
        return ()
    inner = LineIndex(text)
    tail: tuple[Piece, ...] = ()
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[module, name], keywords=[]):
            tail = ("[", _place(name, inner, use.span), "]")
        case ast.Call(func=ast.Name(id="getattr"), args=[module, name, other], keywords=[]):
            tail = (".get(", _place(name, inner, use.span), ", ", _place(other, inner, use.span), ")")
        case ast.Attribute(value=module, attr="__dict__"):
            pass
        case _:
            return ()
    owner = ast.unparse(module)
    entries = ", ".join(f'"{one}": {owner}.{one}' for one in judgement.names)
    pieces: tuple[Piece, ...] = (f"{{{entries}}}", *tail)
    title = say("Write out the names that are looked up in `{api}`", api=use.api)
    return (Rewrite(use.span, pieces, judgement.applicability, title, use.api),)


def _place(node: ast.expr, inner: LineIndex, outer: Span) -> Span:
    """Where a part of the expression at `outer` stands in the whole text."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    start = inner.column_of_byte(node.lineno, node.col_offset)
    end = inner.column_of_byte(node.end_lineno, node.end_col_offset)
    return Span(
        outer.line + node.lineno - 1,
        start + (outer.column if node.lineno == 1 else 0),
        outer.line + node.end_lineno - 1,
        end + (outer.column if node.end_lineno == 1 else 0),
    )
