"""Calls that arrays take and tensors do not: what has the same name in NumPy is called there in ways that torch refuses
(`x.cumsum()` without an axis, `x.transpose()`, `x.sum(initial=0)`)."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache

from mindport.registry.signature import Parameter, ParameterKind
from mindport.registry.torch import torch_facts
from mindport.usage.torch_model import TENSOR_CLASS

# NumPy's names of parameters, which torch takes for its own.
_ALSO_TAKEN = {"axis": "dim", "keepdims": "keepdim"}
_BY_PLACE = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
_COLLECTING = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


def is_refused_by_tensors(method: str, call: ast.Call) -> bool:
    """Whether no signature of a tensor's method takes as many values, and such names, as a call gives."""
    overloads = _overloads(method)
    is_unpacked = any(isinstance(one, ast.Starred) for one in call.args)
    if not overloads or is_unpacked or any(keyword.arg is None for keyword in call.keywords):
        return False
    names = [_ALSO_TAKEN.get(keyword.arg or "", keyword.arg or "") for keyword in call.keywords]
    return not any(_takes(parameters, len(call.args), names) for parameters in overloads)


@cache
def _overloads(method: str) -> tuple[tuple[Parameter, ...], ...]:
    signatures = torch_facts().signatures(f"{TENSOR_CLASS}.{method}")
    return tuple(tuple(signature.parameters) for signature in signatures)


def _takes(parameters: Sequence[Parameter], count: int, names: Sequence[str]) -> bool:
    """Whether values in so many places, and others by these names, fit one signature; where it collects, anything."""
    if any(parameter.kind in _COLLECTING for parameter in parameters):
        return True
    places = [parameter for parameter in parameters if parameter.kind in _BY_PLACE]
    given = {parameter.name for parameter in places[:count]}.union(names)
    required = {parameter.name for parameter in parameters if parameter.default is None}
    return count <= len(places) and given <= {one.name for one in parameters} and required <= given
