"""Writes the torch names out that an expression looks up by a string, `getattr(nn, kind)`: each is then converted."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.mapping.judgement import Judgement
from mindport.model.language import say
from mindport.model.span import Span
from mindport.rewrite.pieces import ImportedName, Piece, Rewrite
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_expression
from mindport.usage.api_use import ApiUse


def names_written_out(use: ApiUse, judgement: Judgement, lines: LineIndex) -> tuple[Rewrite, ...]:
    """The names that a use may look up in place of the module: a dictionary for `getattr(module, name)`, with a
    default too, and for `module.__dict__`; a tuple for `hasattr`; a namespace for the module itself, and for `nn` in
    what `eval(name)` evaluates. Empty where the text is another."""
    assert judgement.applicability is not None
    text = lines.slice(use.span)
    try:
        node = parse_expression(text)
    except SYNTAX_ERRORS:
        return ()
    inner = LineIndex(text)
    applicability = judgement.applicability
    title = say("Write out the names that are looked up in `{api}`", api=use.api)
    tail: tuple[Piece, ...] = ()
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[module, name], keywords=[]):
            tail = ("[", _place(name, inner, use.span), "]")
        case ast.Call(func=ast.Name(id="getattr"), args=[module, name, other], keywords=[]):
            tail = (".get(", _place(name, inner, use.span), ", ", _place(other, inner, use.span), ")")
        case ast.Call(func=ast.Name(id="hasattr"), args=[_, name], keywords=[]):
            among = ", ".join(f'"{one}"' for one in judgement.names) + (
                "," if len(judgement.names) == 1 else ""
            )
            is_torn = isinstance(
                name, (ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.NamedExpr, ast.UnaryOp)
            )
            opening, closing = ("(", ")") if is_torn else ("", "")
            found: tuple[Piece, ...] = (opening, _place(name, inner, use.span), f"{closing} in ({among})")
            return (Rewrite(use.span, found, applicability, title, use.api),)
        case ast.Call(func=ast.Name(id="eval"), args=[name], keywords=[]):
            found = (
                *("eval(", _place(name, inner, use.span), ', globals(), {**locals(), "nn": '),
                *_namespace("nn", judgement.names),
                "})",
            )
            return (Rewrite(use.span, found, applicability, title, use.api),)
        case ast.Attribute(value=module, attr="__dict__"):
            pass
        case ast.Name() | ast.Attribute():
            return (Rewrite(use.span, _namespace(text, judgement.names), applicability, title, use.api),)
        case _:
            return ()
    owner = ast.unparse(module)
    entries = ", ".join(f'"{one}": {owner}.{one}' for one in judgement.names)
    pieces: tuple[Piece, ...] = (f"{{{entries}}}", *tail)
    return (Rewrite(use.span, pieces, applicability, title, use.api),)


def _namespace(module: str, names: Iterable[str]) -> tuple[Piece, ...]:
    attributes = ", ".join(f"{one}={module}.{one}" for one in names)
    return (
        ImportedName("types.SimpleNamespace", "import types", "types.SimpleNamespace"),
        f"({attributes})",
    )


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
