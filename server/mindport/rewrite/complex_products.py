"""Products and quotients of complex tensors, `q_fft * torch.conj(k_fft)`, `xq_ * freqs_cis`: in PyNative mode MindSpore
refuses the gradient of the one and computes a wrong one of the other, so functions make them of the real parts. So they
do of `1j * x` and `x + 1j`, as MindSpore's tensors take no complex numbers of Python."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from mindport.rewrite.complex_values import OF_ARRAYS, SIGNS, ComplexValues
from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.kinds_of_names import nodes_of
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node

_HELPERS: dict[type[ast.operator], str] = {
    ast.Mult: "torch_complex_product",
    ast.Div: "torch_complex_quotient",
    ast.Add: "torch_complex_sum",
    ast.Sub: "torch_complex_sum",  # of what is turned
}
# Methods that do the same.
_METHODS = {
    "mul": "torch_complex_product",
    "multiply": "torch_complex_product",
    "div": "torch_complex_quotient",
    "divide": "torch_complex_quotient",
    "true_divide": "torch_complex_quotient",
}
_COMPLEX_NUMBER = re.compile(r"\d[jJ]\b")
_OF_NUMBERS = ("math.", "cmath.")

_Operation = ast.BinOp | ast.AugAssign | ast.Call


def with_products_of_parts(
    before: str, text: str, outside: Mapping[str, frozenset[int]] | None = None
) -> str:
    """A text converted from `before` in which functions make such products and quotients. The same text where there are
    none, or where it does not parse. `outside` has the functions of other files that give something complex."""
    if not imports_torch(before) or not (
        any(sign in text for sign in SIGNS)
        or _COMPLEX_NUMBER.search(text) is not None
        or any(name in text for name in outside or ())
    ):
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    found: list[_Operation] = []
    arrays = _in_calls_of_arrays(tree)
    values = ComplexValues(tree, outside)
    for scope, names in values.scopes():
        found += (
            node for node in nodes_of(scope) if _is_of_complex(node, names, values) and id(node) not in arrays
        )
    text = with_edits(text, _edits(found, lines))
    for helper in sorted(set(map(_helper_of, found))):
        text = with_definition(text, helper)
    return text


def _is_of_complex(node: ast.AST, names: frozenset[str], values: ComplexValues) -> TypeGuard[_Operation]:
    """Whether a node is such an operation, of which no side is a plain real number, and not both are numbers."""
    sides: tuple[ast.expr, ast.expr]
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            numbers = [one for one in (left, right) if _is_number(one)]
            is_of_array = _is_of_arrays(left) or _is_of_arrays(right)
            return len(numbers) == 1 and not is_of_array and values.is_complex(numbers[0], frozenset())
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div(), right=right):
            sides = (left, right)
        case ast.AugAssign(target=ast.Name() as target, op=ast.Mult() | ast.Div(), value=value):
            sides = (target, value)
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[other], keywords=[]):
            if name not in _METHODS or isinstance(other, ast.Starred):
                return False
            sides = (owner, other)
        case _:
            return False
    if all(map(_is_number, sides)) or any(
        _is_number(one) and not values.is_complex(one, names) for one in sides
    ):
        return False
    if any(_is_of_arrays(one) for one in sides):
        return False
    is_quotient = _helper_of(node) == _HELPERS[ast.Div]
    return any(values.is_complex(side, names) for side in sides) or (is_quotient and _is_by_size(*sides))


def _helper_of(node: _Operation) -> str:
    if not isinstance(node, ast.Call):
        return _HELPERS[type(node.op)]
    assert isinstance(node.func, ast.Attribute)
    return _METHODS[node.func.attr]


def _is_by_size(value: ast.expr, other: ast.expr) -> bool:
    """Whether something is divided by what is made of its own absolute values, `z / (z.abs() + eps)`: where complex
    numbers are about, it may be one, and its quotient is the same where it is not."""
    text = ast.unparse(value)
    for node in every_node(other):
        match node:
            case ast.Call(func=ast.Name(id="torch_abs" | "abs"), args=[of]):
                pass
            case ast.Call(func=ast.Attribute(value=ast.Name(id="ops" | "mint"), attr="abs"), args=[of]):
                pass
            case ast.Call(func=ast.Attribute(value=of, attr="abs"), args=[]):
                pass
            case _:
                continue
        if ast.unparse(of) == text:
            return True
    return False


def _in_calls_of_arrays(tree: ast.Module) -> set[int]:
    """What stands in calls of NumPy and the like, which take complex numbers."""
    return {id(inside) for node in every_node(tree) if _is_of_arrays(node) for inside in every_node(node)}


def _is_of_arrays(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith(OF_ARRAYS + _OF_NUMBERS)


def _edits(nodes: Sequence[_Operation], lines: LineIndex) -> Iterator[TextEdit]:
    """`a * b` becomes a call; what stands in its sides stays, so that these may be written anew as well."""
    begun: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for node in nodes:
        helper, end = _helper_of(node), end_of(node, lines)
        if isinstance(node, ast.Call):
            begun[start_of(node, lines)].append((end, f"{helper}("))
            yield _without_name(node, lines)
            continue
        yield TextEdit(end, end, ")")
        if isinstance(node, ast.AugAssign):
            left, start = end_of(node.target, lines), start_of(node.value, lines)
            yield TextEdit(left, start, f" = {helper}({ast.unparse(node.target)}, ")
        else:
            begun[start_of(node, lines)].append((end, f"{helper}("))
            opened, closed = _between(end_of(node.left, lines), start_of(node.right, lines), lines.text)
            yield TextEdit(opened, closed, ", -" if isinstance(node.op, ast.Sub) else ", ")
    for start, calls in begun.items():  # the outermost call begins first
        yield TextEdit(start, start, "".join(call for _, call in sorted(calls, reverse=True)))


def _without_name(call: ast.Call, lines: LineIndex) -> TextEdit:
    """`.mul(` of a call becomes what stands between two arguments."""
    assert isinstance(call.func, ast.Attribute)
    dot = lines.text.index(".", end_of(call.func.value, lines))  # behind parentheses around the owner
    opened = lines.text.index("(", end_of(call.func, lines))
    return TextEdit(dot, opened + 1, ", ")


def _between(behind: int, before: int, text: str) -> tuple[int, int]:
    """The place of the operator and the space around it, without parentheses that belong to a side."""
    at = behind
    while text[at] not in "*/+-":
        at += 1
    start, end = at, at + 1
    while start > behind and text[start - 1] in " \t":
        start -= 1
    while end < before and text[end] in " \t":
        end += 1
    return start, end


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_number(operand)
        case ast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
        case ast.Attribute():
            return ast.unparse(node).startswith(OF_ARRAYS + _OF_NUMBERS)
    return False
