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
from mindport.source.trees import every_node

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
        for node in every_node(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _OF_NETWORKS
        and isinstance(node.func.value, (ast.Name, ast.Attribute))
    )


def _edits(tree: ast.Module, lines: LineIndex, networks: frozenset[str]) -> Iterator[TextEdit]:
    kinds = _names_of_kinds(tree)
    own = {target for one in networks_of(tree) for target in _targets(one, kinds) if _is_self(target.value)}
    for target in _targets(tree, kinds):
        holder = ast.unparse(target.value)
        if target in own or (not _is_self(target.value) and holder in networks):
            yield TextEdit(start_of(target, lines), end_of(target, lines), f'vars({holder})["{target.attr}"]')


def _names_of_kinds(tree: ast.Module) -> frozenset[str]:
    """The names of parameters that take a class of optimizers, as their default or annotation tells. What a class keeps
    of them under the same name is one, too."""
    found = set()
    for node in every_node(tree):
        if not isinstance(node, ast.arguments):
            continue
        positional = [*node.posonlyargs, *node.args]
        defaults = [*[None] * (len(positional) - len(node.defaults)), *node.defaults, *node.kw_defaults]
        for argument, default in zip([*positional, *node.kwonlyargs], defaults, strict=True):
            if (default is not None and _is_kind(default)) or _says_kind(argument.annotation):
                found.add(argument.arg)
    return frozenset(found)


def _is_kind(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name == _RECORDED
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return torch_facts().is_optimizer_class(f"torch.optim.{name.removeprefix('Torch')}")
    return False


def _says_kind(annotation: ast.expr | None) -> bool:
    """Whether an annotation is of a class of optimizers: `type[optim.Optimizer]`, `Optional[Type[Optimizer]]`."""
    return annotation is not None and any(
        isinstance(node, ast.Subscript)
        and ast.unparse(node.value).rpartition(".")[2] in ("type", "Type")
        and ast.unparse(node.slice).rpartition(".")[2] in ("Optimizer", "TorchOptimizer")
        for node in every_node(annotation)
    )


def _targets(within: ast.AST, kinds: frozenset[str]) -> Iterator[ast.Attribute]:
    """The attributes that become optimizers; `kinds` are names of their classes."""
    for node in every_node(within):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = list(zip(targets, values, strict=False))
            case ast.Assign(targets=[target], value=value):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            if isinstance(target, ast.Attribute) and _is_optimizer(value, kinds):
                yield target


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _is_optimizer(value: ast.expr, kinds: frozenset[str]) -> bool:
    match value:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in kinds:
            return True
        case ast.Call(func=func):
            return _is_kind(func)
        case ast.IfExp(body=one, orelse=other):
            return _is_optimizer(one, kinds) or _is_optimizer(other, kinds)
    return False
