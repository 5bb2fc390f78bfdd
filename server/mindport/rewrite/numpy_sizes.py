"""Numbers of NumPy's as sizes: layers of MindSpore take those of Python only. So what is kept or handed on becomes a
number of Python where it comes from; to whatever else takes it, it is the same. Such are numbers of actions, which gym
keeps (`env.action_space.n`, `space.nvec.sum()`), and what NumPy computes of numbers for a class
(`width = np.min([2 * width, 1024])`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import children, every_node

_SPACES = ("action_space", "observation_space")
# The array that a space of several choices keeps, one number for each of them.
_CHOICES = "nvec"
# What takes NumPy's numbers as well, or makes one of Python of them.
_NO_LAYERS = frozenset(
    ("abs", "any", "bool", "enumerate", "float", "format", "int", "isinstance", "len", "max", "min", "print", "range",
     "repr", "round", "str", "type")
)  # fmt: skip
_MODULES_WITHOUT_LAYERS = frozenset(("np", "numpy", "random", "math", "logging", "logger"))
_NUMPY = ("np", "numpy")
# What gives one number for a list of numbers.
_OF_LISTS = frozenset(("min", "max", "amin", "amax", "sum", "prod", "product"))


def with_python_sizes(text: str) -> str:
    """A converted text in which the sizes of spaces of gym are numbers of Python where they are kept or handed on, and
    what NumPy computes of numbers where a class gets it. The same text where there is neither, or where it does not
    parse."""
    if "_space" in text:
        text = with_edits_of_tree(text, _edits)
    if any(f".{name}(" in text for name in _OF_LISTS) and any(name in text for name in _NUMPY):
        text = with_edits_of_tree(text, _edits_of_numbers)
    return text


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for size in _sizes(tree, any(map(_is_choices_of_space, every_node(tree)))):
        start, end = start_of(size, lines), end_of(size, lines)
        yield from (TextEdit(start, start, "int("), TextEdit(end, end, ")"))


def _edits_of_numbers(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    found = [node for node in every_node(tree) if isinstance(node, ast.Call) and _is_number_of_numpy(node)]
    if not found:
        return
    given = {id(part): part for node in every_node(tree) for part in _given_to_class(node)}
    names = {name for part in given.values() if (name := _name(part))}
    kept = {
        id(part)
        for node in every_node(tree)
        if isinstance(node, ast.Assign) and any(_name(target) in names for target in node.targets)
        for part in _parts(node.value)
    }
    for number in found:
        if id(number) in given or id(number) in kept:
            end = end_of(number, lines)  # a call: no parentheses are needed, and a float stays one
            yield TextEdit(end, end, ".item()")


def _is_number_of_numpy(node: ast.Call) -> bool:
    """Whether it is a number that NumPy computes of whole numbers: of a list with one of them, or the product of a
    shape. Floats of NumPy's make others of arrays that they are added to than Python's do, so they stay."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name), args=[of], keywords=[]):
            if module not in _NUMPY or name not in _OF_LISTS:
                return False
            match of:
                case ast.List(elts=elements) | ast.Tuple(elts=elements):
                    constants = [one.value for one in elements if isinstance(one, ast.Constant)]
                    return bool(constants) and all(type(one) is int for one in constants)
            return name in ("prod", "product") and isinstance(
                of, ast.Name | ast.Attribute | ast.Subscript | ast.Call
            )
    return False


def _given_to_class(node: ast.AST) -> Iterator[ast.expr]:
    """What a class is called with, and the parts of arithmetic with it."""
    if isinstance(node, ast.Call) and _is_class(node.func):
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            yield from _parts(argument)


def _is_class(function: ast.expr) -> bool:
    """Whether a name is that of a class, or a class is chosen by its name: `{"ReLU": nn.ReLU}[kind](...)`."""
    match function:
        case ast.Subscript(value=ast.Dict(values=classes)) if classes:
            return all(map(_is_class, classes))
    return _name(function)[:1].isupper()


def _name(node: ast.expr) -> str:
    """What a name or an attribute is called; empty for anything else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _parts(value: ast.expr) -> Iterator[ast.expr]:
    """A value and what it is made of by arithmetic or a choice."""
    yield value
    match value:
        case ast.BinOp(left=one, right=other) | ast.IfExp(body=one, orelse=other):
            yield from (*_parts(one), *_parts(other))


def _sizes(tree: ast.Module, has_choices: bool) -> Iterator[ast.expr]:
    """The sizes that a statement keeps or a call takes; what stands in f-strings has no reliable place."""
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, is_handed_on = pending.pop()
        if isinstance(node, ast.JoinedStr):
            continue
        if _is_size(node) or (has_choices and _is_number_of_choices(node)):
            if is_handed_on:
                assert isinstance(node, ast.expr)
                yield node
            continue
        handed_on = _handed_on(node, is_handed_on)
        pending += ((child, child in handed_on) for child in children(node))


def _is_size(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Attribute(attr=space) | ast.Name(id=space), attr="n", ctx=ast.Load()):
            return space.endswith(_SPACES)
    return False


def _is_choices_of_space(node: ast.AST) -> bool:
    """Whether it is what a space keeps, so that other arrays of that name in the file are gym's, too."""
    match node:
        case ast.Attribute(value=ast.Attribute(attr=space) | ast.Name(id=space), attr=name):
            return name == _CHOICES and space.endswith(_SPACES)
    return False


def _is_number_of_choices(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=choices, attr=name), args=[], keywords=[]):
            return name in _OF_LISTS and _name(choices) == _CHOICES
        case ast.Subscript(value=choices, slice=ast.Constant(value=int()) | ast.UnaryOp(), ctx=ast.Load()):
            return _name(choices) == _CHOICES
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
            return children(node)
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
