"""Calls of a method that `getattr` gives for a name that is written there: `getattr(x, "detach")()` is `x.detach()`,
whatever `x` is, and is found as that."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator

from mindport.registry.torch import torch_facts
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node
from mindport.usage.torch_model import TENSOR_CLASS

_OWNERS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
"""What needs no parentheses before a dot."""


def attributes_by_name(text: str) -> list[TextEdit]:
    """The edits that write such calls as those of an attribute, where tensors of torch have a method of that name."""
    if "getattr(" not in text or "torch" not in text:
        return []
    return edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    own = {node.name for node in every_node(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    if "getattr" in own:
        return
    for node in every_node(tree):
        match node:
            case ast.Call(
                func=ast.Call(
                    func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(name))], keywords=[]
                ) as found
            ) if isinstance(owner, _OWNERS) and _is_method(name):
                yield TextEdit(start_of(found, lines), start_of(owner, lines), "")
                yield TextEdit(end_of(owner, lines), end_of(found, lines), f".{name}")


def _is_method(name: str) -> bool:
    is_plain = name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("__")
    return is_plain and torch_facts().member(TENSOR_CLASS, name) is not None
