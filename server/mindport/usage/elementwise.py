"""What is computed of a tensor element by element: it has no element where the tensor has none."""

from __future__ import annotations

import ast

# Methods and functions that have an element for each of a tensor, and those that lay its elements out otherwise.
ELEMENTWISE = frozenset(
    (
        *("abs", "add", "bool", "clone", "detach", "div", "double", "eq", "exp", "float", "ge", "gt", "half"),
        *("int", "isinf", "isnan", "le", "log", "long", "lt", "mul", "ne", "neg", "pow", "sigmoid", "sign"),
        *("sqrt", "square", "sub", "tanh", "to", "type", "type_as"),
        *("contiguous", "flatten", "permute", "reshape", "squeeze", "t", "transpose", "unsqueeze", "view"),
    )
)


def origin(node: ast.expr) -> ast.expr:
    """`x[i]` of `x[i].view(-1, 4).float()`: what the methods that keep its elements are called of."""
    while (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ELEMENTWISE
    ):
        node = node.func.value
    return node
