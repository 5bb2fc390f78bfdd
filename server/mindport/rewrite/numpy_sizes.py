"""Numbers of actions, `env.action_space.n`: gym keeps them as NumPy's, and layers of MindSpore take sizes of Python's
only. So a number that is kept or handed on becomes one of Python where it comes from; to whatever else takes it, it is
the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex

_SPACES = ("action_space", "observation_space")
# What takes NumPy's numbers as well, or makes one of Python of them.
_NO_LAYERS = frozenset(
    ("abs", "any", "bool", "enumerate", "float", "format", "int", "isinstance", "len", "max", "min", "print", "range",
     "repr", "round", "str", "type")
)  # fmt: skip
_MODULES_WITHOUT_LAYERS = frozenset(("np", "numpy", "random", "math", "logging", "logger"))


def with_python_sizes(text: str) -> str:
    """A converted text in which the sizes of spaces of gym are numbers of Python where they are kept or handed on. The
    same text where there are none, or where it does not parse."""
    if "_space" not in text:
        return text
    return with_edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for size in _sizes(tree):
        start, end = start_of(size, lines), end_of(size, lines)
        yield from (TextEdit(start, start, "int("), TextEdit(end, end, ")"))


def _sizes(tree: ast.Module) -> Iterator[ast.expr]:
    """The sizes that a statement keeps or a call takes; what stands in f-strings has no reliable place."""
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, is_handed_on = pending.pop()
        if isinstance(node, ast.JoinedStr):
            continue
        if _is_size(node):
            if is_handed_on:
                assert isinstance(node, ast.expr)
                yield node
            continue
        handed_on = _handed_on(node, is_handed_on)
        pending += ((child, child in handed_on) for child in ast.iter_child_nodes(node))


def _is_size(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Attribute(attr=space) | ast.Name(id=space), attr="n", ctx=ast.Load()):
            return space.endswith(_SPACES)
    return False


def _handed_on(node: ast.AST, is_handed_on: bool) -> list[ast.AST]:
    """The parts of a node whose value somebody keeps or takes, where `is_handed_on` says so of its own."""
    match node:
        case (
            ast.Assign(value=value)
            | ast.AnnAssign(value=ast.expr() as value)
            | ast.Return(value=ast.expr() as value)
        ):
            return [value]
        case ast.keyword(value=value) | ast.Starred(value=value) if is_handed_on:
            return [value]
        case ast.Call() if not _takes_any_number(node.func):
            return [*node.args, *node.keywords]
        case ast.IfExp() if is_handed_on:
            return [node.body, node.orelse]
        case ast.BinOp() if is_handed_on:
            return [node.left, node.right]
        case ast.List() | ast.Tuple() | ast.Dict() | ast.BoolOp() if is_handed_on:
            return list(ast.iter_child_nodes(node))
    return []


def _takes_any_number(function: ast.expr) -> bool:
    match function:
        case ast.Name(id=name):
            return name in _NO_LAYERS
        case ast.Attribute(attr="format"):
            return True
    outermost = function
    while isinstance(outermost, ast.Attribute):
        outermost = outermost.value
    return isinstance(outermost, ast.Name) and outermost.id in _MODULES_WITHOUT_LAYERS
