"""Optimizers that a network keeps, `self.optimizer = Adam(self.parameters())` or, given by others,
`net.optimizer = Adam(net.parameters())`. For torch they are no part of it. Those of MindSpore are Cells: as an
attribute one renames the parameters of the network, and `state_dict()`, `apply` and the lists of parameters have what
belongs to the optimizer, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from mindport.registry.torch import torch_facts
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.networks_of_text import networks_of
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node

_RECORDED = "torch_recorded"
_OF_OPTIMIZERS = ("step", "zero_grad")
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
    networks = _owners_of(before, _OF_NETWORKS)
    stepped = frozenset.intersection(*(_owners_of(before, {name}) for name in _OF_OPTIMIZERS)) - networks
    return with_edits_of_tree(text, lambda tree, lines: _edits(tree, lines, networks, stepped))


def _owners_of(before: str, methods: Set[str]) -> frozenset[str]:
    """What any of these methods is called of, wherever in a file."""
    try:
        tree = parse_tree(before)
    except SYNTAX_ERRORS:
        return frozenset()
    return frozenset(
        ast.unparse(node.func.value)
        for node in every_node(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in methods
        and isinstance(node.func.value, (ast.Name, ast.Attribute))
    )


def _edits(
    tree: ast.Module, lines: LineIndex, networks: frozenset[str], stepped: frozenset[str]
) -> Iterator[TextEdit]:
    kinds = _names_of_kinds(tree)
    found = list(_targets(tree, kinds, stepped))
    inside = {node for one in networks_of(tree) for node in every_node(one)}
    own = {target for target in found if target in inside and _is_self(target.value)}
    for target in found:
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


def _targets(tree: ast.Module, kinds: frozenset[str], stepped: frozenset[str]) -> Iterator[ast.Attribute]:
    """The attributes that become optimizers; `kinds` are names of their classes, `stepped` what is cleared and makes
    steps, and so is one, whoever made it (`self.adam = make(net.parameters())`)."""
    for node in every_node(tree):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = list(zip(targets, values, strict=False))
            case ast.Assign(targets=[target], value=value):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            if not isinstance(target, ast.Attribute):
                continue
            if _is_optimizer(value, kinds) or (ast.unparse(target) in stepped and _may_be_optimizer(value)):
                yield target


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _may_be_optimizer(value: ast.expr) -> bool:
    """Whether what makes steps may be no network with steps of its own: a class that is given no parameters may be
    one."""
    if not isinstance(value, ast.Call):
        return isinstance(value, (ast.Name, ast.Attribute))
    name = ast.unparse(value.func).rpartition(".")[2]
    return not name[:1].isupper() or any(
        "param" in word.id if isinstance(word, ast.Name) else "param" in word.attr
        for argument in (*value.args, *(one.value for one in value.keywords))
        for word in every_node(argument)
        if isinstance(word, (ast.Name, ast.Attribute))
    )


def _is_optimizer(value: ast.expr, kinds: frozenset[str]) -> bool:
    match value:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in kinds:
            return True
        case ast.Call(func=func):
            return _is_kind(func)
        case ast.IfExp(body=one, orelse=other):
            return _is_optimizer(one, kinds) or _is_optimizer(other, kinds)
    return False
