"""Convolutions of torch that get another weight, `self._conv_forward(x, self.weight * mask, self.bias)`: the method
is torch's own, and MindSpore's layers have none that takes a weight."""

from __future__ import annotations

import ast

from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.spans import start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node

_METHOD, _HELPER = "_conv_forward", "torch_conv_forward"


def with_convolutions_of_weights(before: str, text: str) -> str:
    """A text converted from `before` in which a function computes such convolutions. The same text where there are
    none, where it defines the method itself, or does not parse."""
    if f".{_METHOD}(" not in text or f"def {_METHOD}(" in text or not imports_torch(before):
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    edits = []
    for node in every_node(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=layer, attr=attr), args=[first, *_]) if attr == _METHOD:
                # `super()._conv_forward(x, w, b)` is of the same object; what lies between the arguments stays.
                owner = "self" if ast.unparse(layer).startswith("super(") else ast.unparse(layer)
                start, behind = start_of(node, lines), start_of(first, lines)
                edits.append(TextEdit(start, behind, f"{_HELPER}({owner}, "))
    return with_definition(with_edits(text, edits), _HELPER) if edits else text
