"""Layers that take tensors with fewer axes than their name says: torch's Dropout2d takes rows of features, as it is
often given behind linear layers, where MindSpore's takes images alone."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from mindport.registry.torch import torch_facts
from mindport.semantics.domains.ranks.domain import Layers
from mindport.semantics.domains.ranks.following import axes_of_inputs
from mindport.source.trees import every_node
from mindport.usage.methods_of_classes import kept_by, methods_of_classes

COUNTED = frozenset({"torch.nn.Dropout2d"})
"""The layers whose inputs are counted."""

_LAYERS = "torch.nn."
_FEW_AXES = frozenset({"few_axes"})
_FEW = frozenset({2, 3})


def signs_by_axes(
    members: Iterable[tuple[str, Sequence[ast.stmt]]], api_of: Callable[[ast.AST], str]
) -> dict[ast.Call, frozenset[str]]:
    """The calls in one file that make such layers, each with a sign if all its inputs are known to have fewer axes.
    `members` are the statements of the file, each with the class of the file that it
    stands in, if any; `api_of` tells torch's name behind a node, empty where it has none."""
    found: defaultdict[ast.Call, set[int | None]] = defaultdict(set)
    for methods in methods_of_classes(members).values():
        held = _held(methods, api_of)
        if not any(api_of(made) in COUNTED for layers in held.values() for made, _ in layers):
            continue
        for forward in (one for one in methods if one.name == "forward"):
            called = _called_here_alone(held, forward, methods)
            for made, axes in axes_of_inputs(forward, called, api_of).items():
                found[made] |= axes
    return {made: _FEW_AXES for made, axes in found.items() if api_of(made) in COUNTED and axes <= _FEW}


def _held(methods: Iterable[ast.FunctionDef], api_of: Callable[[ast.AST], str]) -> Mapping[str, Layers]:
    """The names under which methods keep layers of torch, and `nn.Sequential` of such, that nothing else is kept
    under."""
    found: dict[str, Layers | None] = {}
    for name, value, _ in kept_by(methods):
        found[name] = _layers(value, api_of) if name not in found else None
    return {name: layers for name, layers in found.items() if layers}


def _called_here_alone(
    held: Mapping[str, Layers], forward: ast.FunctionDef, methods: Sequence[ast.FunctionDef]
) -> dict[str, Layers]:
    """What a forward calls by its name, and nothing else reads: another method may give it other tensors."""
    called = {node.func for node in every_node(forward) if isinstance(node, ast.Call)}
    read = {
        node.attr
        for method in methods
        for node in every_node(method)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node not in called
    }
    return {name: layers for name, layers in held.items() if name not in read}


def _layers(value: ast.expr, api_of: Callable[[ast.AST], str]) -> Layers | None:
    if not isinstance(value, ast.Call):
        return None
    kind = api_of(value)
    if kind == f"{_LAYERS}Sequential":
        parts = [_layers(one, api_of) for one in value.args]
        return tuple(one for part in parts for one in part or ()) if all(parts) else None
    if not torch_facts().is_module_class(kind):
        return None
    has_options = kind == f"{_LAYERS}Flatten" and (value.args or value.keywords)
    return None if has_options else ((value, kind.removeprefix(_LAYERS)),)
