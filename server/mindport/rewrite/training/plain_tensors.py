"""Tensors that are no parameters, and that an optimizer changes: `Adam([image.requires_grad_()])`. MindSpore's
optimizers take parameters only, so a function of these cannot be differentiated by what the optimizer has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.registry.torch import torch_facts
from mindport.rewrite.training.events import Recogniser, Unclear
from mindport.rewrite.training.flow import every_node


def refuse_plain_tensors(tree: ast.Module, recogniser: Recogniser) -> None:
    """Raise Unclear where an optimizer of the file is made for such tensors."""
    if not recogniser.uses_any(torch_facts().is_optimizer_class):
        return
    marked: set[str] | None = None
    for node in every_node(tree):
        if isinstance(node, ast.Call) and torch_facts().is_optimizer_class(recogniser.api(node.func)):
            given = node.args[0] if node.args else next((one.value for one in node.keywords), None)
            parts = given.elts if isinstance(given, (ast.List, ast.Tuple)) else ()
            if parts and marked is None:
                marked = set(_marked(tree, recogniser))
            if any(_asks(part) or ast.unparse(part) in (marked or ()) for part in parts):
                raise Unclear("the optimizer has tensors that are no parameters", node)


def _marked(tree: ast.Module, recogniser: Recogniser) -> Iterator[str]:
    """What gradients are asked for, as it is written."""
    for node in every_node(tree):
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=owner, attr="requires_grad")], value=ast.Constant(value=True)
            ):
                yield ast.unparse(owner)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="requires_grad_"))):
                yield ast.unparse(owner)
            case ast.Assign(targets=[target], value=ast.Call() as value) if _asks(value):
                if not recogniser.api(value.func).endswith("Parameter"):
                    yield ast.unparse(target)


def _asks(node: ast.expr) -> bool:
    """Whether a call gives a tensor that gradients are asked for."""
    if not isinstance(node, ast.Call):
        return False
    named = {one.arg: one.value for one in node.keywords}
    flag = named.get("requires_grad")
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_"
    return is_method or (isinstance(flag, ast.Constant) and flag.value is True)
