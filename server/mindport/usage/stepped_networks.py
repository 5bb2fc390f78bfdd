"""The networks of a project that its optimizers take, whole or in part: `Adam(net.parameters())`,
`Adam(net.head.parameters())`. Whoever limits the gradients of more than an optimizer takes counts those that nobody
steps with or clears; whoever limits those of less leaves others as they are. Told by names alone: functions hand
optimizers and networks to each other."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from mindport.registry.torch import torch_facts
from mindport.source.trees import every_node
from mindport.source.written_names import dotted_name
from mindport.usage.files import FileState
from mindport.usage.function_names import FunctionNames

_LISTED = frozenset(("parameters", "trainable_params"))
# Holds a network as a whole, and is no part of it: `DataParallel(net).module`.
_WRAPPED = "module"
_PART = "."


def stepped_networks(texts: Mapping[str, str], state: Callable[[str], FileState]) -> FunctionNames[str]:
    """The last parts of the names of these networks: `head` of `self.net.head.parameters()`; and `net.`, of which an
    optimizer takes this part alone."""
    return FunctionNames(
        texts,
        state,
        lambda text: "parameters()" in text and "ptim" in text,
        lambda trees: frozenset(name for tree in trees for name in _taken(tree)),
        lambda found: found,
    )


def is_stepped_otherwise(network: ast.expr, stepped: frozenset[str]) -> bool:
    """Whether optimizers take more or less of a network, or of that which it is a part of, than all of it."""
    names = _names(network)
    if not names or names[-1] in stepped:
        return False
    return f"{names[-1]}{_PART}" in stepped or any(one in stepped for one in names[-2:-1])


def _taken(tree: ast.AST) -> Iterator[str]:
    for node in every_node(tree):
        if not isinstance(node, ast.Call) or not makes_optimizer((dotted_name(node.func) or ("",))[-1]):
            continue
        given = [*node.args[:1], *(one.value for one in node.keywords if one.arg == "params")]
        owners = [owner for one in given for part in every_node(one) if (owner := _owner(part))]
        yield from (owner[-1] for owner in owners)
        if len(owners) == 1:  # of several parts nobody knows whether they are the whole
            yield from (f"{one}{_PART}" for one in owners[0][-2:-1])


def makes_optimizer(name: str) -> bool:
    """Whether what is called so makes an optimizer of torch's, or the one that stands for it."""
    return torch_facts().is_optimizer_class(f"torch.optim.{name.removeprefix('Torch')}")


def _owner(node: ast.AST) -> Sequence[str]:
    """Whose parameters a call lists: `net`, `head` for `net.head.parameters()`; nothing for any other node."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=attr), args=[]) if attr in _LISTED:
            return _names(value)
    return ()


def _names(network: ast.expr) -> Sequence[str]:
    return [one for one in dotted_name(network) or () if one != _WRAPPED]
