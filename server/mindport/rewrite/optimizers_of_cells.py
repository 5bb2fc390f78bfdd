"""Optimizers that a network keeps, `self.optimizer = Adam(self.parameters())`. For torch they are no part of it. Those
of MindSpore are Cells: as an attribute one renames the parameters of the network, and `state_dict()`, `apply` and the
lists of parameters have what belongs to the optimizer, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.registry.torch import torch_facts
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.networks_of_text import networks_of
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex

_RECORDED = "torch_recorded"


def with_optimizers_apart(before: str, text: str) -> str:
    """A text converted from `before` in which networks keep their optimizers outside of what makes them up. The same
    text where none does, or where it does not parse."""
    if not imports_torch(before) or "optim" not in before:
        return text
    return with_edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for network in networks_of(tree):
        for target in _targets(network):
            yield TextEdit(start_of(target, lines), end_of(target, lines), f'vars(self)["{target.attr}"]')


def _targets(network: ast.ClassDef) -> Iterator[ast.Attribute]:
    """The attributes of `self` that become optimizers."""
    for node in ast.walk(network):
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self")) as target], value=value) if (
                _is_optimizer(value)
            ):
                yield target


def _is_optimizer(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Call(func=ast.Name(id=name))) if name == _RECORDED:
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return torch_facts().is_optimizer_class(f"torch.optim.{name.removeprefix('Torch')}")
        case ast.IfExp(body=one, orelse=other):
            return _is_optimizer(one) or _is_optimizer(other)
    return False
