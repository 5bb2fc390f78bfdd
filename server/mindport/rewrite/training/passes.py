"""Counts the passes of a loop over batches: by the counter that it has, or by a new one."""

from __future__ import annotations

import ast

from mindport.rewrite.spans import span_of
from mindport.rewrite.training.events import Unclear
from mindport.rewrite.training.flow import written
from mindport.rewrite.training.layout import Layout, Line
from mindport.source.lines import LineIndex

_PROGRESS_BARS = ("tqdm", "track")  # which give what they are given


def count_passes(loop: ast.For, layout: Layout, lines: LineIndex, taken: set[str]) -> tuple[str, str]:
    """The name that counts the passes from zero, and the text of their number. Writes a counter into the head of a
    loop that has none. Raises Unclear where the number cannot be read."""
    target, iterable = loop.target, loop.iter
    changed = {name for statement in loop.body for name in written(statement)}
    if isinstance(target, ast.Name) and target.id != "_" and _called(iterable) == "range":
        return _unchanged(target.id, changed, loop), _length(iterable, loop)
    if isinstance(target, ast.Tuple) and isinstance(iterable, ast.Call) and _called(iterable) == "enumerate":
        counter = target.elts[0]
        if len(iterable.args) > 1 or iterable.keywords or not isinstance(counter, ast.Name):
            raise Unclear("the passes of the loop are not counted from 0", loop)
        if counter.id != "_":
            return _unchanged(counter.id, changed, loop), _length(iterable.args[0], loop)
    length = _length(iterable, loop)
    if loop.body[0].lineno == loop.lineno:
        raise Unclear("several statements share a line", loop)
    name = free_name("step", taken)
    where = span_of(target, lines)
    unpacked: Line = (where,)
    if isinstance(target, ast.Tuple) and not lines.slice(where).startswith("("):
        unpacked = ("(", where, ")")
    layout.replace(
        layout.at(loop), (f"for {name}, ", *unpacked, " in enumerate(", span_of(iterable, lines), "):")
    )
    return name, length


def free_name(name: str, taken: set[str]) -> str:
    """A name that is not taken."""
    while name in taken:
        name += "_"
    return name


def _unchanged(counter: str, changed: set[str], loop: ast.For) -> str:
    if counter in changed:
        raise Unclear("the counter of the loop is changed in it", loop)
    return counter


def _length(iterable: ast.expr, loop: ast.For) -> str:
    """The text of the number of passes."""
    while _called(iterable) in (*_PROGRESS_BARS, "enumerate", "range"):
        assert isinstance(iterable, ast.Call)
        if not iterable.args:
            break
        if _called(iterable) == "range":
            if len(iterable.args) == 1 and _may_be_repeated(iterable.args[0], loop):
                return ast.unparse(iterable.args[0])
            break
        iterable = iterable.args[0]
    if not isinstance(iterable, (ast.Name, ast.Attribute)) or not _may_be_repeated(iterable, loop):
        raise Unclear("the number of batches cannot be read", loop)
    return f"len({ast.unparse(iterable)})"


def _called(node: ast.expr) -> str:
    """The last name of what an expression calls."""
    return ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""


def _may_be_repeated(node: ast.expr, loop: ast.For) -> bool:
    """Whether an expression says the same inside a loop: it calls nothing, and its name is not set there."""
    inner = node
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    if isinstance(inner, ast.Constant):
        return True
    return isinstance(inner, ast.Name) and inner.id not in written(loop)
