"""Tells a method that takes the place of one of torch's from one that only has its name: torch calls the first,
`Solver.train(self, loaders)` is the project's own."""

from __future__ import annotations

import ast

from mindport.registry.signature import ParameterKind, Signature
from mindport.registry.torch import torch_facts
from mindport.source.trees import every_node
from mindport.usage.types import BOOL, Type
from mindport.usage.variables import FunctionRecord, ParameterRecord

CALLED_BY_TORCH = frozenset({"forward", "train", "extra_repr", "children", "get_submodule"})
"""Methods that torch, or code for any module, calls on a module: who calls one by name means the same method."""


def hands_on(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method calls the one of its base class: `super().train(mode)`, `Base.train(self, mode)`."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == function.name
        and (ast.unparse(node.func.value).startswith("super(") or _hands_itself(node, function))
        for node in every_node(function)
    )


def _hands_itself(call: ast.Call, method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the first argument of a call is the object that the method is called on."""
    itself = [one.arg for one in method.args.posonlyargs + method.args.args][:1]
    return [one.id for one in call.args[:1] if isinstance(one, ast.Name)] == itself != []


def is_abstract(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the body of a method leaves what it does to others: `raise NotImplementedError`, `pass`, `...`."""
    for statement in function.body:
        match statement:
            case ast.Raise():
                return True
            case (
                ast.Pass()
                | ast.Expr(value=ast.Constant())
                | ast.Return(value=None | ast.Constant(value=None))
            ):
                continue
            case _:
                return False
    return True


def takes_calls_of(record: FunctionRecord, canonical: str) -> bool:
    """Whether a method of a module can be called as torch's method is."""
    if record.hands_on or record.name == "forward":
        return True  # a module hands to its forward whatever it is called with
    signatures = torch_facts().signatures(canonical)
    own = [parameter for parameter in record.parameters.values() if parameter.kind == 0]
    return not signatures or any(_takes(own, signature) for signature in signatures)


def _takes(own: list[ParameterRecord], signature: Signature) -> bool:
    if any(parameter.kind is ParameterKind.VAR_POSITIONAL for parameter in signature.parameters):
        return True
    named = {parameter.name: parameter for parameter in signature.parameters}
    for parameter in own:
        at = parameter.position
        theirs = named.get(parameter.name)
        if theirs is None and 0 <= at < len(signature.parameters):
            theirs = signature.parameters[at]
            if parameter.default is None and theirs.default is not None and parameter.annotation is not BOOL:
                return False  # torch may leave it out
            if theirs.default in ("True", "False") and not _may_be_flag(parameter):
                return False
        if theirs is None and parameter.default is None:
            return False
    return True


def _may_be_flag(parameter: ParameterRecord) -> bool:
    given = parameter.default if parameter.default is not None else parameter.annotation
    return not isinstance(given, Type) or given is BOOL
