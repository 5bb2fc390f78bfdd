"""The class of tensors under another name, `Tensor = torch.Tensor`: whether what a function, or who else sees the name,
makes of it is tensors, so that it stands for a kind of tensor there and not for what all tensors are."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.source.trees import every_node
from mindport.usage import torch_model
from mindport.usage.types import Tag, Type
from mindport.usage.variables import Value


def is_type_of(node: ast.expr) -> bool:
    """Whether the expression is `type(x)` or `x.__class__`."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "type" and len(node.args) == 1
    return isinstance(node, ast.Attribute) and node.attr == "__class__"


def is_kind_of_tensors(target: ast.expr, node: ast.expr, value: Value, body: Sequence[ast.stmt]) -> bool:
    """Whether a function with this body makes tensors by a target that the class of tensors is assigned to, `node` with
    this value. An attribute is for other functions, which call it: types are tested against the class itself. What
    `type(x)` is of is only known later."""
    if is_type_of(node):
        return isinstance(target, ast.Name) and makes_tensors(target.id, body)
    if not isinstance(value, Type) or value.tag is not Tag.CLASS or value.name != torch_model.TENSOR_CLASS:
        return False
    return isinstance(target, ast.Attribute) or (
        isinstance(target, ast.Name) and makes_tensors(target.id, body)
    )


def makes_tensors(name: str, body: Sequence[ast.stmt]) -> bool:
    """Whether a body calls a name, or takes it for a dtype, and tests no type against it."""
    is_called = False
    for statement in body:
        for node in every_node(statement):
            match node:
                case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, tested]):
                    if any(isinstance(part, ast.Name) and part.id == name for part in every_node(tested)):
                        return False
                case ast.Call(func=ast.Name(id=called)) if called == name:
                    is_called = True
                case ast.Call(func=ast.Attribute(attr="type"), args=[ast.Name(id=dtype), *_]) if (
                    dtype == name
                ):
                    is_called = True
    return is_called
