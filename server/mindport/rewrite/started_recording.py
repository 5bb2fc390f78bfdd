"""Where a program without an optimizer begins to be recorded: `torch_record()` stands at the start of functions that
take gradients, because the loss is computed there. So does a part of a program that nothing says to run behind an
optimizer: maps of what a network looks at are taken before it is trained, too."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.spans import start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.usage.recipe.reached import is_main_guard

_START = "torch_record"
_TAKEN = ("torch_backward", "torch_backward_of_all", "torch_grad")
# What records a program by itself, because it is there before losses are computed. `torch_zero_grad` may come after.
_STARTERS = (_START, "torch_recorded", "torch_recorded_base", "TorchLBFGS", "TorchOptimizer")
_STEP = "step"
_MARK = ("torch_require_grad",)  # records what is computed from a tensor from then on

_Definition = ast.FunctionDef | ast.ClassDef


def has_no_start(texts: Iterable[str]) -> bool:
    """Whether nothing in the texts of a project starts a recording."""
    trees = (tree for text in texts if (tree := _tree(text, _STARTERS)) is not None)
    return not any(_names(node, _STARTERS) for tree in trees for node in _of_the_user(tree))


def is_script_without_start(text: str) -> bool:
    """Whether a converted text runs by itself, takes gradients and starts no recording, as a script that explains a
    network beside the one that trains it."""
    tree = _tree(text, _TAKEN)
    if tree is None or not has_no_start([text]):
        return False
    own = list(_of_the_user(tree))
    taking = [node for node in own if _names(node, _TAKEN)]
    runs = any(not isinstance(node, _Definition) for node in taking)
    return runs or bool(taking and any(map(is_main_guard, own)))


def is_part_without_start(text: str) -> bool:
    """Whether a converted text takes gradients, and has neither an optimizer, which would start a recording, nor steps
    of one."""
    tree = _tree(text, _TAKEN)
    if tree is None or not has_no_start([text]):
        return False
    nodes = [part for node in _of_the_user(tree) for part in every_node(node)]
    return not any(isinstance(one, ast.Attribute) and one.attr == _STEP for one in nodes)


def with_recording_started(text: str) -> str:
    """A converted text, whose functions record the program before they take gradients."""
    tree = _tree(text, _TAKEN)
    if tree is None:
        return text
    lines = LineIndex(text)
    places = set(_places(_of_the_user(tree), lines))
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
    return any(isinstance(one, ast.Name) and one.id in names for one in every_node(node))


def _places(nodes: Iterable[ast.stmt], lines: LineIndex) -> Iterator[int]:
    """Where the functions and methods among statements begin that take gradients and mark no tensor for it, or the
    statements themselves do, if one takes gradients before any has marked a tensor."""
    is_marked = False
    first_run = None
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            yield from _places((one for one in node.body if isinstance(one, _Definition)), lines)
        elif isinstance(node, ast.FunctionDef):
            first, *rest = node.body
            is_documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            is_marked_always = any(_names(one, _MARK) for one in node.body if not isinstance(one, ast.If))
            is_recorded = not _names(node, _TAKEN) or is_marked_always
            if not is_recorded and (rest or not is_documented):
                yield start_of(rest[0] if is_documented else first, lines)
        else:
            is_marked = is_marked or _names(node, _MARK)
            if isinstance(node, ast.If) and is_main_guard(node):
                begin: ast.stmt | None = node.body[0]
            else:
                begin = first_run = first_run or (node if _computes(node) else None)
            if begin is not None and _names(node, _TAKEN) and not is_marked:
                yield start_of(begin, lines)


def _computes(statement: ast.stmt) -> bool:
    """Whether a statement calls something; imports, names for them and texts come before the program."""
    return any(isinstance(node, ast.Call) for node in every_node(statement))
