"""What a module class needs besides its renamed parts when it becomes a Cell.

A fresh Cell is in evaluation mode, a fresh torch module in training mode, and so are all layers inside it. And what the
class calls by the name of its own `forward` is `construct` now."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator

from mindport.model.language import say
from mindport.model.span import Position, Span
from mindport.model.verdict import Applicability
from mindport.rewrite.pieces import Rewrite
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree

_MODULES = "torch.nn."
_IN_TRAINING_MODE = "self.set_train()"


def class_rewrites(text: str, rewrites: Iterable[Rewrite]) -> tuple[Rewrite, ...]:
    """For every class that `rewrites` make a Cell: `self.set_train()` at the end of `__init__`, and `self.construct`,
    `super().construct` for its own calls of `forward`."""
    rewrites = tuple(rewrites)
    places = {one.span.start for one in rewrites if one.api.startswith(_MODULES)}
    if not places:
        return ()
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return ()
    lines = LineIndex(text)
    found = []
    named = {span for one in rewrites for span in (one.span, *one.holes)}
    for node in _converted(tree, lines, places):
        found += [one for one in _own_calls(node, lines) if one.span not in named]
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                ending = _ending(method, lines)
                if ending is not None:
                    found.append(ending)
    return tuple(found)


def _converted(tree: ast.Module, lines: LineIndex, places: Container[Position]) -> Iterator[ast.ClassDef]:
    """The classes with a base or a `forward` that is converted, and those derived from them in the file."""
    converted: set[str] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        starts = [_start(base, lines) for base in node.bases]
        starts += [
            _start(method, lines, len("def "))
            for method in node.body
            if isinstance(method, ast.FunctionDef) and method.name == "forward"
        ]
        named = {base.id for base in node.bases if isinstance(base, ast.Name)}
        if any(start in places for start in starts) or named & converted:
            converted.add(node.name)
            yield node


def _start(node: ast.expr | ast.FunctionDef, lines: LineIndex, behind: int = 0) -> Position:
    return Position(node.lineno, lines.column_of_byte(node.lineno, node.col_offset) + behind)


def _own_calls(node: ast.ClassDef, lines: LineIndex) -> Iterator[Rewrite]:
    """The name in `self.forward` and `super().forward`."""
    for one in ast.walk(node):
        if (
            isinstance(one, ast.Attribute)
            and one.attr == "forward"
            and ast.unparse(one.value) in ("self", "super()")
        ):
            end_line = one.end_lineno or one.lineno
            end = lines.column_of_byte(end_line, one.end_col_offset or 0)
            place = Span(end_line, end - len("forward"), end_line, end)
            yield Rewrite(
                place, ("construct",), Applicability.SAFE, say("Call construct"), "torch.nn.Module.forward"
            )


def _ending(method: ast.FunctionDef, lines: LineIndex) -> Rewrite | None:
    last = method.body[-1]
    end_line = last.end_lineno or last.lineno
    column = lines.column_of_byte(end_line, last.end_col_offset or 0)
    instance = method.args.args[0].arg if method.args.args else ""
    if instance != "self" or ast.unparse(last) == _IN_TRAINING_MODE:
        return None
    if last.lineno == method.lineno:
        new = f"; {_IN_TRAINING_MODE}"
    else:
        first = method.body[0]
        new = "\n" + lines.line_text(first.lineno)[: lines.column_of_byte(first.lineno, first.col_offset)]
        new += _IN_TRAINING_MODE
    comment = lines.line_text(end_line)[column:].rstrip("\r\n")
    if comment.strip() and last.lineno != method.lineno:
        if not comment.lstrip().startswith("#"):
            return None
        column += len(comment)  # behind the comment that belongs to the statement
    place = Span(end_line, column, end_line, column)
    title = say("Start in training mode, as torch does")
    return Rewrite(place, (new,), Applicability.SAFE, title, "torch.nn.Module.training")
