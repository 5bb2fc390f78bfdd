"""Products and quotients of complex tensors, `q_fft * torch.conj(k_fft)`, `xq_ * freqs_cis`: in PyNative mode MindSpore
refuses the gradient of the one and computes a wrong one of the other, so functions make them of the real parts. So they
do of `1j * x`, as MindSpore's tensors take no complex numbers of Python. That a tensor is complex is read from what a
function calls: `rfft`, `polar`, `view_as_complex`, `zeros(n, dtype=complex64)` and the like."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.kinds_of_names import names_of_kind, nodes_of, scopes_of_the_user
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.written_names import last_name

_HELPERS: dict[type[ast.operator], str] = {
    ast.Mult: "torch_complex_product",
    ast.Div: "torch_complex_quotient",
}
# What gives complex numbers, by the names that MindSpore and torch have for it.
_MAKERS = frozenset(
    {
        "Complex", "complex", "conj", "fft", "fft2", "fftn", "ifft", "ifft2", "ifftn", "polar", "rfft", "rfft2",
        "rfftn", "view_as_complex",
    }
)  # fmt: skip
# What is complex where its tensor is: other looks at it, sums, and functions of each element.
_KEEPING = frozenset(
    {
        "broadcast_to", "cat", "contiguous", "copy", "cumprod", "cumsum", "einsum", "exp", "expand", "expand_dims",
        "fftshift", "flatten", "flip", "ifftshift", "log", "mean", "narrow", "permute", "pow", "repeat", "reshape",
        "roll", "sqrt", "square", "squeeze", "stack", "stop_gradient", "sum", "swapaxes", "tile", "torch_cat",
        "torch_einsum", "torch_stack", "transpose", "unsqueeze", "view", *_HELPERS.values(),
    }
)  # fmt: skip
_COMPLEX_TYPES = ("complex64", "complex128")
_SIGNS = (*(f"{name}(" for name in _MAKERS), *_COMPLEX_TYPES)
_COMPLEX_NUMBER = re.compile(r"\d[jJ]\b")
_OF_ARRAYS = ("np.", "numpy.", "scipy.", "cp.", "jnp.")
_OF_NUMBERS = ("math.", "cmath.")


def with_products_of_parts(before: str, text: str) -> str:
    """A text converted from `before` in which functions make such products and quotients. The same text where there are
    none, or where it does not parse."""
    if not imports_torch(before) or not (
        any(sign in text for sign in _SIGNS) or _COMPLEX_NUMBER.search(text) is not None
    ):
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    found: list[ast.BinOp | ast.AugAssign] = []
    arrays = _in_calls_of_arrays(tree)
    for scope in scopes_of_the_user(tree):
        names = names_of_kind(scope, _is_complex)
        found += (node for node in nodes_of(scope) if _is_of_complex(node, names) and id(node) not in arrays)
    text = with_edits(text, _edits(found, lines))
    for helper in sorted({_HELPERS[type(node.op)] for node in found}):
        text = with_definition(text, helper)
    return text


def _is_of_complex(node: ast.AST, names: frozenset[str]) -> TypeGuard[ast.BinOp | ast.AugAssign]:
    """Whether a node is such an operation, of which no side is a plain real number, and not both are numbers."""
    sides: tuple[ast.expr, ast.expr]
    match node:
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div(), right=right):
            sides = (left, right)
        case ast.AugAssign(target=ast.Name() as target, op=ast.Mult() | ast.Div(), value=value):
            sides = (target, value)
        case _:
            return False
    if all(map(_is_number, sides)) or any(_is_number(one) and not _is_complex(one, names) for one in sides):
        return False
    if any(_is_of_arrays(one) for one in sides):
        return False
    return any(_is_complex(side, names) for side in sides)


def _in_calls_of_arrays(tree: ast.Module) -> set[int]:
    """What stands in calls of NumPy and the like, which take complex numbers."""
    return {
        id(inside)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(_OF_ARRAYS + _OF_NUMBERS)
        for inside in ast.walk(node)
    }


def _is_of_arrays(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith(_OF_ARRAYS + _OF_NUMBERS)


def _edits(nodes: Sequence[ast.BinOp | ast.AugAssign], lines: LineIndex) -> Iterator[TextEdit]:
    """`a * b` becomes a call; what stands in its sides stays, so that these may be written anew as well."""
    begun: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for node in nodes:
        helper, end = _HELPERS[type(node.op)], end_of(node, lines)
        yield TextEdit(end, end, ")")
        if isinstance(node, ast.AugAssign):
            left, start = end_of(node.target, lines), start_of(node.value, lines)
            yield TextEdit(left, start, f" = {helper}({ast.unparse(node.target)}, ")
        else:
            begun[start_of(node, lines)].append((end, f"{helper}("))
            opened, closed = _between(end_of(node.left, lines), start_of(node.right, lines), lines.text)
            yield TextEdit(opened, closed, ", ")
    for start, calls in begun.items():  # the outermost call begins first
        yield TextEdit(start, start, "".join(call for _, call in sorted(calls, reverse=True)))


def _between(behind: int, before: int, text: str) -> tuple[int, int]:
    """The place of the operator and the space around it, without parentheses that belong to a side."""
    at = behind
    while text[at] not in "*/":
        at += 1
    start, end = at, at + 1
    while start > behind and text[start - 1] in " \t":
        start -= 1
    while end < before and text[end] in " \t":
        end += 1
    return start, end


def _is_complex(node: ast.expr, names: frozenset[str]) -> bool:
    match node:
        case ast.Constant(value=value):
            return isinstance(value, complex)
        case ast.Attribute(attr=attribute) if (
            attribute in _COMPLEX_TYPES
        ):  # a name of it says so of what has it
            return not ast.unparse(node).startswith(_OF_ARRAYS)
        case ast.Name(id=name):
            return name in names
        case ast.Subscript(value=value) | ast.UnaryOp(operand=value):
            return _is_complex(value, names)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            return _is_complex(left, names) or _is_complex(right, names)
        case ast.IfExp(body=body, orelse=other):
            return _is_complex(body, names) or _is_complex(other, names)
        case ast.Call(func=ast.Lambda(body=body)):
            return _is_complex(body, names)
        case ast.Call(func=ast.Call() as made):  # `ops.Complex()(real, imag)`
            return last_name(made.func) == "Complex"
        case ast.Call(func=func, args=args):
            name = last_name(func)
            if _has_complex_type(node, names):
                return not ast.unparse(func).startswith(_OF_ARRAYS)
            if name == "torch_view_as_complex":
                return True
            if name in _MAKERS:
                return isinstance(func, ast.Attribute) and not ast.unparse(func).startswith(_OF_ARRAYS)
            owner = [func.value] if isinstance(func, ast.Attribute) else []
            given = [
                part
                for one in args[: None if "einsum" in name else 2]
                for part in (one.elts if isinstance(one, (ast.List, ast.Tuple)) else [one])
            ]
            return name in _KEEPING and any(_is_complex(one, names) for one in (*owner, *given))
    return False


def _has_complex_type(call: ast.Call, names: frozenset[str]) -> bool:
    """Whether a call is given a complex dtype of MindSpore: `zeros(3, dtype=mindspore.complex64)`, or `dtype=kind`
    where that is one of the complex `names`."""
    given = [one for one in call.args if isinstance(one, ast.Attribute)]
    given_by_name = [one.value for one in call.keywords if one.arg == "dtype"]
    return any(
        isinstance(one, (ast.Attribute, ast.Name, ast.IfExp)) and _is_complex(one, names)
        for one in (*given, *given_by_name)
    )


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_number(operand)
        case ast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
        case ast.Attribute():
            return ast.unparse(node).startswith(_OF_ARRAYS + _OF_NUMBERS)
    return False
