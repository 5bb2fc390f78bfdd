"""Optimizers that a network keeps, `self.optimizer = Adam(self.parameters())` or, given by others,
`net.optimizer = Adam(net.parameters())`. For torch they are no part of it. Those of MindSpore are Cells: as an
attribute one renames the parameters of the network, and `state_dict()`, `apply` and the lists of parameters have what
belongs to the optimizer, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.registry.torch import torch_facts
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.networks_of_text import networks_of
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree

_RECORDED = "torch_recorded"
_OF_NETWORKS = frozenset(
    (
        "parameters",
        "named_parameters",
        "modules",
        "named_modules",
        "children",
        "named_children",
        "eval",
        "train",
    )
)


def with_optimizers_apart(before: str, text: str) -> str:
    """A text converted from `before` in which networks keep their optimizers outside of what makes them up. The same
    text where none does, or where it does not parse."""
    if not imports_torch(before) or "optim" not in before:
        return text
    networks = _networks_named_in(before)
    return with_edits_of_tree(text, lambda tree, lines: _edits(tree, lines, networks))


def _networks_named_in(before: str) -> frozenset[str]:
    """What stands before the methods that only networks have, wherever in a file."""
    try:
        tree = parse_tree(before)
    except SYNTAX_ERRORS:
        return frozenset()
    return frozenset(
        ast.unparse(node.func.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _OF_NETWORKS
        and isinstance(node.func.value, (ast.Name, ast.Attribute))
    )


def _edits(tree: ast.Module, lines: LineIndex, networks: frozenset[str]) -> Iterator[TextEdit]:
    own = {target for network in networks_of(tree) for target in _targets(network) if _is_self(target.value)}
    for target in _targets(tree):
        holder = ast.unparse(target.value)
        if target in own or (not _is_self(target.value) and holder in networks):
            yield TextEdit(start_of(target, lines), end_of(target, lines), f'vars({holder})["{target.attr}"]')


def _targets(within: ast.AST) -> Iterator[ast.Attribute]:
    """The attributes that become optimizers."""
    for node in ast.walk(within):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = list(zip(targets, values, strict=False))
            case ast.Assign(targets=[target], value=value):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            if isinstance(target, ast.Attribute) and _is_optimizer(value):
                yield target


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _is_optimizer(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Call(func=ast.Name(id=name))) if name == _RECORDED:
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return torch_facts().is_optimizer_class(f"torch.optim.{name.removeprefix('Torch')}")
        case ast.IfExp(body=one, orelse=other):
            return _is_optimizer(one) or _is_optimizer(other)
    return False
