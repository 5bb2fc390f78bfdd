"""Tensors in another shape that are written to, `mask.narrow(1, 0, n).fill_(1)`: while a gradient is recorded MindSpore
copies what `view`, `transpose`, `narrow` and the like give, and only parts by numbers and slices reach the tensor."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

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
_COPYING = frozenset({"flatten", "reshape"})
_SCATTERING = frozenset(
    {"t", "transpose", "swapaxes", "swapdims", "permute", "movedim", "narrow", "diagonal", "as_strided"}
)
# What else than torch has looks as functions of a tensor, in a text of which a part is converted.
_OF_MINDSPORE = frozenset({"ops", "mint", "mindspore.ops", "mindspore.mint"})
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
    if _is_copied(node):
        return None
    root, methods = _root(node)
    root, called = _called(root)
    if (
        not (methods or called is not None)
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
    owner = lines.span(start - 1 + inside.offset(span_of(root, inside).start), done)
    if called is not None:
        seen, done = list(_seen_by(called, lines, start, inside)), end(called)
    tail: list[Piece] = []
    for method in methods:
        if _METHODS.get(method.attr, method.attr) != method.attr:
            tail += (lines.span(done, end(method) - len(method.attr)), _METHODS[method.attr])
            done = end(method)
    tail.append(lines.span(done, lines.offset(written.end)))
    return (HelperName("TorchView"), "(", owner, f", lambda {_WHOLE}: ", *seen, *tail, ")")


def _is_copied(node: ast.expr) -> bool:
    """Whether torch copies on the way to what an expression gives: `flatten` and `reshape` do, behind a look whose
    elements do not lie side by side, `x[:, 1:].flatten()`."""
    copies = False
    while True:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=attr)):
                if copies and attr in _SCATTERING:
                    return True
                copies |= attr in _COPYING
            case ast.Attribute(value=value, attr=attr):
                if copies and attr in _ATTRIBUTES:
                    return True
            case ast.Subscript(value=value, slice=index):
                if copies and not (isinstance(index, ast.Constant) and isinstance(index.value, int)):
                    return True
            case _:
                return False
        node = value


def _called(root: ast.expr) -> tuple[ast.expr, ast.Call | None]:
    """What `x.as_strided((2, 2), (4, 1))`, `torch.diagonal(x)` or `ops.swapaxes(x, 0, 1)` is of, and the call; any
    other expression as it is, and None."""
    match root:
        case ast.Call(func=ast.Attribute(value=module, attr=name), args=[owner, *_]) if (
            name in _METHODS and ast.unparse(module) in _OF_MINDSPORE
        ):
            return owner, root
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="torch"), attr=name), args=[owner, *_], keywords=keywords
        ) if name in _METHODS and all(one.arg == "offset" for one in keywords):  # MindSpore has no `dim1`
            return owner, root
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[_, *_]) if name == _STRIDED:
            return owner, root
    return root, None


def _seen_by(call: ast.Call, lines: LineIndex, start: int, inside: LineIndex) -> Iterator[Piece]:
    """What such a call is of the whole; `inside` is the expression in parentheses, which begins at `start`."""
    assert isinstance(call.func, ast.Attribute)
    name = call.func.attr
    if ast.unparse(call.func.value) in _OF_MINDSPORE:
        # MindSpore's function takes the tensor first, whatever it calls the others.
        began, ends = (
            inside.offset(place)
            for place in (span_of(call, inside).start, span_of(call.args[0], inside).start)
        )
        behind = inside.offset(span_of(call.args[0], inside).end)
        yield lines.span(start - 1 + began, start - 1 + ends)
        yield _WHOLE
        yield lines.span(start - 1 + behind, start - 1 + inside.offset(span_of(call, inside).end))
        return
    if name == _STRIDED:
        yield from (HelperName("torch_as_strided"), f"({_WHOLE}, ")
    else:
        yield f"{_WHOLE}.{_METHODS[name]}("
    arguments = call.args if name == _STRIDED else call.args[1:]
    firsts = [*arguments, *(keyword.value for keyword in call.keywords)]
    if firsts:
        began = inside.offset(span_of(firsts[0], inside).start)
        if not arguments:
            began -= len(f"{call.keywords[0].arg}=")
        yield lines.span(start - 1 + began, start - 2 + inside.offset(span_of(call, inside).end))
    yield ")"


def _root(node: ast.expr) -> tuple[ast.expr, list[ast.Attribute]]:
    """What a chain of looks begins with, and those of them that are by another shape, the first one first."""
    methods: list[ast.Attribute] = []
    while True:
        match node:
            case ast.Call(func=ast.Attribute(value=module)) if (
                ast.unparse(module) in {"torch", *_OF_MINDSPORE}  # `torch.diagonal(x)`
            ):
                return node, methods
            case ast.Call(func=ast.Attribute(value=value, attr=attr) as method) if attr in _METHODS:
                methods.insert(0, method)
            case ast.Attribute(value=value, attr=attr) if attr in _ATTRIBUTES:
                methods.insert(0, node)
            case ast.Subscript(value=value):
                pass
            case _:
                return node, methods
        node = value
