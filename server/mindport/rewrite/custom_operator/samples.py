"""Sample inputs of an operator, written as `rand(4, 4)` or `randint(0, 9, (3,)) + 1`: their shape, dtype and text."""

from __future__ import annotations

import ast

import msgspec

from mindport.rewrite.custom_operator.call import Unsuitable

USUAL = "rand(4, 4)"
_FLOATS = ("rand", "randn", "zeros", "ones")


class Sample(msgspec.Struct, frozen=True):
    """One sample input; `text` is its expression in the words of the written test."""

    text: str
    shape: tuple[int, ...]
    dtype: str


def read_sample(text: str) -> Sample:
    """Read a sample's text. Raises Unsuitable for what is not in this little language."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        shape, dtype = _shape_and_dtype(tree)
    except (SyntaxError, ValueError, TypeError, RecursionError):
        raise Unsuitable(f"{text!r} is no sample input such as rand(2, 3) or randint(0, 9, (4,))") from None
    return Sample(ast.unparse(tree), shape, dtype)


def _shape_and_dtype(node: ast.expr) -> tuple[tuple[int, ...], str]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _shape_and_dtype(node.operand)
    if isinstance(node, ast.BinOp):
        sides = [one for one in (node.left, node.right) if not isinstance(one, ast.Constant)]
        if len(sides) == 1:
            shape, dtype = _shape_and_dtype(sides[0])
            return shape, "float32" if isinstance(node.op, ast.Div) else dtype
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
        raise ValueError
    values = [ast.literal_eval(one) for one in node.args]
    if node.func.id in _FLOATS:
        return _shape(values), "float32"
    if node.func.id == "randint" and len(values) == 3:
        return _shape(values[2]), "int64"
    raise ValueError


def _shape(sizes: object) -> tuple[int, ...]:
    if not isinstance(sizes, (list, tuple)) or not all(type(one) is int and one >= 0 for one in sizes):
        raise ValueError
    return tuple(sizes)
