"""`reversed(x)` in a loop: graph mode takes it of few sequences only, not of cells, nor of a range that is as long as
they are. What is iterated is written as `list(x)[::-1]`, which it takes of all."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

# What takes all that an iterable holds, in its order; a list is as good as what `reversed` gives.
_TAKE_ALL = ("zip", "enumerate", "list", "tuple")
_BACKWARDS = "[::-1]"
# What changes a list while it is iterated; `reversed` sees that, a copy does not.
_CHANGES = ("clear", "insert", "pop", "remove", "reverse", "sort")


def reversed_sequences(function: ast.FunctionDef, lines: LineIndex) -> Iterator[TextEdit]:
    """The edits of each such call in a function."""
    bound = {node.id for node in every_node(function) if isinstance(node, ast.Name) and not _is_read(node)}
    if bound & {"reversed", "range", *_TAKE_ALL}:
        return
    changed = set(_changed(function))
    for taker, iterated in _iterated(function):
        match iterated:
            case ast.Call(func=ast.Name(id="reversed"), args=[sequence], keywords=[]):
                if not isinstance(sequence, ast.Starred) and ast.unparse(sequence) not in changed:
                    yield from _edits(taker, iterated, sequence, lines)


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _iterated(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, ast.expr]]:
    """Whatever is iterated to its end or taken apart, with the node that does it."""
    for node in every_node(function):
        match node:
            case ast.For(iter=one) | ast.comprehension(iter=one):
                yield node, one
            case ast.Call(func=ast.Name(id=name), args=values) if name in _TAKE_ALL:
                yield from ((node, one) for one in values)


def _changed(function: ast.FunctionDef) -> Iterator[str]:
    """The expressions whose elements a function changes."""
    for node in every_node(function):
        match node:
            case ast.Subscript(value=one, ctx=ast.Store() | ast.Del()):
                yield ast.unparse(one)
            case ast.Call(func=ast.Attribute(value=one, attr=name)) if name in _CHANGES:
                yield ast.unparse(one)


def _edits(taker: ast.AST, call: ast.Call, sequence: ast.expr, lines: LineIndex) -> Iterator[TextEdit]:
    start, end = start_of(call, lines), end_of(call, lines)
    inner_start, inner_end = start_of(sequence, lines), end_of(sequence, lines)
    text = lines.text
    # Places in formatted strings are not exact, and what stands between may be a comment or parentheses.
    if text[start:inner_start] != "reversed(" or text[inner_end:end] != ")":
        return
    match taker, sequence:
        case ast.Call(func=ast.Name(id="list" | "tuple" as kind), args=[_], keywords=[]), _:
            if text[start_of(taker, lines) : start] != f"{kind}(" or text[end : end_of(taker, lines)] != ")":
                return
            yield TextEdit(start, inner_start, "")
            yield TextEdit(inner_end, end_of(taker, lines), f"){_BACKWARDS}")
        case _, ast.Call(func=ast.Name(id="range"), args=[ast.Constant(), *rest]) if all(
            isinstance(one, ast.Constant) for one in rest
        ):
            return
        case _, ast.List() | ast.Tuple() | ast.Call(func=ast.Name(id="range" | "list" | "tuple")):
            yield TextEdit(start, inner_start, "")
            yield TextEdit(inner_end, end, _BACKWARDS)
        case _:
            yield TextEdit(start, inner_start, "list(")
            yield TextEdit(end, end, _BACKWARDS)
