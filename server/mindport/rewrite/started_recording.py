"""Where a program without an optimizer begins to be recorded: `torch_record()` stands at the start of functions that
take gradients, because the loss is computed there."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.spans import start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree

_START = "torch_record"
_TAKEN = ("torch_backward", "torch_grad")
# What records a program by itself, from where parameters or other tensors are named on.
_STARTERS = (
    _START, "torch_recorded", "torch_zero_grad", "torch_require_grad", "TorchLBFGS", "TorchOptimizer",
)  # fmt: skip

_Definition = ast.FunctionDef | ast.ClassDef


def has_no_start(texts: Iterable[str]) -> bool:
    """Whether nothing in the texts of a project starts a recording."""
    trees = (tree for text in texts if (tree := _tree(text, _STARTERS)) is not None)
    return not any(_names(node, _STARTERS) for tree in trees for node in _of_the_user(tree))


def with_recording_started(text: str) -> str:
    """A converted text, whose functions record the program before they take gradients."""
    tree = _tree(text, _TAKEN)
    if tree is None:
        return text
    lines = LineIndex(text)
    places = {place for node in _of_the_user(tree) for place in _places(node, lines)}
    if not places:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    edits = []
    for place in places:
        indent = text[text.rfind("\n", 0, place) + 1 : place]
        if not indent.strip():
            edits.append(TextEdit(place, place, f"{_START}(){newline}{indent}"))
    return with_definition(with_edits(text, edits), _START) if edits else text


def _tree(text: str, names: tuple[str, ...]) -> ast.Module | None:
    try:
        return parse_tree(text) if any(name in text for name in names) else None
    except SYNTAX_ERRORS:
        return None


def _of_the_user(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a text but the helpers that it defines."""
    for node in tree.body:
        if not (isinstance(node, _Definition) and node.name.lower().startswith("torch")):
            yield node


def _names(node: ast.AST, names: tuple[str, ...]) -> bool:
    return any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node))


def _places(node: ast.stmt, lines: LineIndex) -> Iterator[int]:
    """Where the functions and methods in a statement begin that take gradients, or the statement itself."""
    if isinstance(node, ast.ClassDef):
        for one in node.body:
            yield from _places(one, lines) if isinstance(one, _Definition) else ()
    elif _names(node, _TAKEN):
        if not isinstance(node, ast.FunctionDef):
            yield start_of(node.body[0] if isinstance(node, ast.If) else node, lines)
            return
        first, *rest = node.body
        is_documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        if is_documented and not rest:
            return
        yield start_of(rest[0] if is_documented else first, lines)
