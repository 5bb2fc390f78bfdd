"""Shapes that are given to a class of tensors, `torch.FloatTensor(x.size())`: they say how large the tensor is, where
any other tuple is what is in it. MindSpore's shapes are tuples as any other, so they are written one by one, and
tuples of data as lists."""

from __future__ import annotations

import ast

from mindport.usage import torch_model
from mindport.usage.types import GUESSED, SIZE, UNKNOWN, Tag, Type, members
from mindport.usage.variables import Value, Variable

# Stand for the dimension that is asked for where all are written one by one, of a shape or of what `size()` gives,
# where the owner of a `shape` tells when the program runs, and where a tuple, or a range, is written as a list.
ALL_SIZES = "*"
ALL_OF_SIZE = "*()"
AS_OWNER_TELLS = "?.shape"
AS_LIST = "[]"


def may_be_sizes(call: ast.Call, callee: Value) -> bool:
    """Whether the only argument of a call may be a shape that makes a tensor. Of a callee that is not known here only
    what is written as a shape counts."""
    if len(call.args) != 1 or call.keywords:
        return False
    if isinstance(callee, Variable):
        return _is_written_as_shape(call.args[0])
    return _is_class_of_tensors(callee) and not isinstance(
        call.args[0], (ast.Starred, ast.Constant, ast.List)
    )


def given_sizes(node: ast.expr, kind: Type, callee: Type) -> str:
    """What becomes of an expression of this type that a class of tensors gets; empty where nothing is to be done."""
    if not any(map(_is_class_of_tensors, members(callee))):
        return ""
    if kind.name == SIZE.name or kind is UNKNOWN:
        if size_method(node) is not None:
            return ALL_OF_SIZE  # which only tensors have
        if kind.name == SIZE.name and kind.level > GUESSED:
            return ALL_SIZES
    if isinstance(node, ast.Attribute) and node.attr == "shape" and any(map(_may_be_shape, members(kind))):
        return AS_OWNER_TELLS
    is_data_for_certain = isinstance(node, ast.Tuple) and any(map(_is_float, node.elts))
    is_tuple = kind.tag is Tag.TUPLE or _is_range(node)
    return AS_LIST if is_tuple and not is_data_for_certain else ""


def _is_range(node: ast.expr) -> bool:
    """Whether an expression is a range: in a graph, as that of a gradient of a gradient, it is a tuple."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def size_method(node: ast.AST) -> ast.Attribute | None:
    """The `x.size` of `x.size()`; None for any other expression."""
    match node:
        case ast.Call(func=ast.Attribute(attr="size") as method, args=[], keywords=[]):
            return method
    return None


def _may_be_shape(kind: Type) -> bool:
    return kind is UNKNOWN or kind.name == SIZE.name or kind.tag in (Tag.EXTERNAL_VALUE, Tag.OTHER)


def _is_float(node: ast.expr) -> bool:
    """Whether an element is no size, so that its tuple can be nothing but data."""
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def _is_class_of_tensors(kind: Type) -> bool:
    return kind.tag is Tag.CLASS and kind.name.endswith("Tensor") and torch_model.is_tensor_class(kind.name)


def _is_written_as_shape(node: ast.expr) -> bool:
    return size_method(node) is not None or (isinstance(node, ast.Attribute) and node.attr == "shape")
