"""Tensors in another shape that are written to, `mask.narrow(1, 0, n).fill_(1)`: while a gradient is recorded MindSpore
copies what `view`, `transpose`, `narrow` and the like give, and only parts by numbers and slices reach the tensor."""

from __future__ import annotations

import ast
import re

from mindport.model.span import Span
from mindport.rewrite.pieces import HelperName, Piece
from mindport.rewrite.spans import span_of
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_expression

# The methods that give another look, with what MindSpore calls them.
_METHODS = {
    **{
        name: name
        for name in (
            "view", "view_as", "t", "swapaxes", "permute", "squeeze", "unsqueeze", "narrow", "diagonal",
            "reshape", "flatten", "movedim",
        )
    },
    "transpose": "swapaxes", "swapdims": "swapaxes",
}  # fmt: skip
_ATTRIBUTES = frozenset({"T", "mT"})
_STRIDED = "as_strided"  # which is a function, as MindSpore has no such method
_WHOLE = "whole"
_LOOK = rf"\.(?:(?:{'|'.join((*_METHODS, _STRIDED))})\([^\n]{{0,120}}\)|{'|'.join(_ATTRIBUTES)})"
_WRITES = re.compile(rf"{_LOOK}\[[^\n]{{0,120}}\][ \t]*(?:[-+*/]|//|\*\*)?=(?!=)")


def may_write_views(text: str) -> bool:
    """Whether a text may have statements that write to parts of another look, `x.view(-1)[0] = 1`."""
    return _WRITES.search(text) is not None


def written_view(written: Span, lines: LineIndex) -> tuple[Piece, ...] | None:
    """What stands for an expression that is written to: `TorchView(x, lambda whole: whole.view(-1))`; None where it is
    no such look at what has a name."""
    text = lines.slice(written)
    if not any(f".{name}" in text for name in (*_METHODS, *_ATTRIBUTES, _STRIDED)):
        return None
    try:
        node = parse_expression(f"({text}\n)")
    except SYNTAX_ERRORS:
        return None
    root, methods = _root(node)
    root, strided = _strided(root)
    if (
        not (methods or strided is not None)
        or not isinstance(root, (ast.Name, ast.Attribute))
        or _WHOLE in text
    ):
        return None
    if isinstance(root, ast.Attribute) and root.attr == "data":
        return None
    inside = LineIndex(f"({text}\n)")
    start = lines.offset(written.start)

    def end(part: ast.expr) -> int:
        return start - 1 + inside.offset(span_of(part, inside).end)

    seen: list[Piece] = [_WHOLE]
    done = end(root)
    if strided is not None:
        first, done = strided.args[0], end(strided)
        given = lines.span(start - 1 + inside.offset(span_of(first, inside).start), done - 1)
        seen = [HelperName("torch_as_strided"), f"({_WHOLE}, ", given, ")"]
    tail: list[Piece] = []
    for method in methods:
        if _METHODS.get(method.attr, method.attr) != method.attr:
            tail += (lines.span(done, end(method) - len(method.attr)), _METHODS[method.attr])
            done = end(method)
    tail.append(lines.span(done, lines.offset(written.end)))
    owner = lines.span(start, end(root))
    return (HelperName("TorchView"), "(", owner, f", lambda {_WHOLE}: ", *seen, *tail, ")")


def _strided(root: ast.expr) -> tuple[ast.expr, ast.Call | None]:
    """What `x.as_strided((2, 2), (4, 1))` is of, and the call; any other expression as it is, and None."""
    match root:
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[_, *_]) if name == _STRIDED:
            return owner, root
    return root, None


def _root(node: ast.expr) -> tuple[ast.expr, list[ast.Attribute]]:
    """What a chain of looks begins with, and those of them that are by another shape, the first one first."""
    methods: list[ast.Attribute] = []
    while True:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=attr) as method) if attr in _METHODS:
                methods.insert(0, method)
            case ast.Attribute(value=value, attr=attr) if attr in _ATTRIBUTES:
                methods.insert(0, node)
            case ast.Subscript(value=value):
                pass
            case _:
                return node, methods
        node = value
