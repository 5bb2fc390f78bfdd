"""Parameters that are frozen when the optimizer has them already, `p.requires_grad = False` behind `Adam(...)` or
between two steps: torch's optimizers pass over them, as they get no gradient any more."""

from __future__ import annotations

import ast

from mindport.source.written_names import dotted_name
from mindport.usage.changes_between_steps import Change
from mindport.usage.stepped_networks import makes_optimizer
from mindport.usage.unfrozen_parameters import names_network

# What a loop over parameters calls them, and a layer its own.
_PARAMETERS = frozenset(("p", "v", "w", "par", "value", "weight", "weights", "bias"))


def _is_freezing(node: ast.AST) -> bool:
    match node:
        case ast.Assign(
            targets=[ast.Attribute(value=owner, attr="requires_grad"), *_], value=ast.Constant(value=False)
        ):
            return _holds_parameters(owner)
        case (
            ast.Call(func=ast.Attribute(value=owner, attr="requires_grad_"), args=[ast.Constant(value=False)])
            | ast.Call(
                func=ast.Attribute(value=owner, attr="requires_grad_"),
                keywords=[ast.keyword(value=ast.Constant(value=False))],
            )
        ):
            return _holds_parameters(owner)
    return False


def _holds_parameters(owner: ast.expr) -> bool:
    """Whether what is frozen is a parameter or a network, by its name: tensors that are neither have the same flag."""
    name = dotted_name(owner)
    return (name is not None and name[-1] in _PARAMETERS) or names_network(ast.unparse(owner))


FROZEN_PARAMETERS = Change(("requires_grad",), _is_freezing, makes_optimizer)
