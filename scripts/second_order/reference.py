"""What torch computes: the gradient of a penalty on a gradient, in float64, for inputs and weights.

With z = v + 0.1 v² before the code, t = y + 0.1 y² behind it and fixed random factors r, s is the sum of r t over all
outputs. The penalty is the sum of (ds/dv)², for the first float input v, as a gradient penalty has it, or for all of
them. Its gradient for all inputs and weights passes twice through the code, with nothing linear on either side that
could hide a gradient that is cut off."""

from __future__ import annotations

import base64
import io
import sys
from pathlib import Path
from typing import Any

import numpy
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "server" / "mindport" / "probes"))

from oracle.inputs import InputError, NumpyInput, Variant, make_inputs
from oracle.snippet import evaluate, run, split_snippet

from oracle import torch_side
from second_order.cases import Case

BEND = 0.1
SEED = 0
CONDITION = 1e-3  # how far float32 may be from float64 in torch itself


class NoReference(Exception):
    """torch has no second order here, or none that can be compared."""


def reference(case: Case) -> dict[str, Any]:
    """The request for a worker: code, inputs, weights, and what to expect. Raises NoReference with the reason."""
    wide = _Run(case, torch.float64)
    narrow = _Run(case, torch.float32, wide.state)
    ways = {}
    for way in ("first", "all") if len(wide.leaves) > 1 else ("first",):
        second = wide.second_order(way)
        _check(second, narrow.second_order(way))
        ways[way] = {name: packed_array(array) for name, array in second.items()}
    return {
        "code": case.code,
        "observe": case.observe,
        "outputs": wide.outputs,
        "inputs": {name: _packed(value) for name, value in wide.inputs.items()},
        "shapes": {n: list(v.shape) for n, v in wide.inputs.items() if isinstance(v, numpy.ndarray)},
        "leaves": wide.leaves,
        "factors": [packed_array(factor) for factor in wide.factors],
        "state": {name: packed_array(array.astype(numpy.float32)) for name, array in wide.state.items()},
        "learned": wide.learned,
        "training": wide.training,
        "first": {name: packed_array(array) for name, array in wide.first_order().items()},
        "second": ways,
    }


def _check(second: dict[str, Any], narrow: dict[str, Any]) -> None:
    """Raise NoReference where nothing can be compared."""
    if not all(numpy.isfinite(array).all() for array in second.values()):
        raise NoReference("the second derivative is not finite")
    if not any(numpy.abs(array).max(initial=0) > 1e-12 for array in second.values()):
        raise NoReference("the second derivative is zero")
    for name, array in narrow.items():
        if _distance(array, second[name]) > CONDITION:
            raise NoReference(f"torch itself differs between float32 and float64 in the gradient of {name}")


class _Run:
    """The case in one precision."""

    def __init__(self, case: Case, dtype: torch.dtype, state: dict[str, Any] | None = None) -> None:
        self._dtype = dtype
        torch.set_default_dtype(dtype)
        try:
            self._set_up(case, state)
        except NoReference:
            raise
        except Exception as error:  # noqa: BLE001  the case's code may raise anything
            raise NoReference(f"torch: {type(error).__name__}: {str(error)[:150]}") from None
        finally:
            torch.set_default_dtype(torch.float32)

    def _set_up(self, case: Case, state: dict[str, Any] | None) -> None:
        snippet = split_snippet(case.torch, case.observe, frozenset(case.inputs))
        if snippet.observe is None:
            raise NoReference("nothing is observed")
        self.inputs = make_inputs(case.inputs, Variant.OWN, SEED)
        names = torch_side.new_namespace(SEED)
        run(snippet.prelude, names)
        module = names.get("m")
        self.state: dict[str, Any] = {}
        self.learned: list[str] = []
        self.training = True
        parameters: dict[str, Any] = {}
        if isinstance(module, torch.nn.Module):
            if state is None:
                torch_side.perturb(module)
                state = {n: a.astype(numpy.float32) for n, a in torch_side.state(module).items()}
            with torch.no_grad():
                for name, tensor in module.state_dict().items():
                    if name in state:
                        tensor.copy_(torch.from_numpy(state[name]))
            self.state, self.training = state, module.training
            parameters = {n: p for n, p in module.named_parameters() if p.requires_grad}
            self.learned = list(parameters)
        self.leaves = [
            name
            for name, value in self.inputs.items()
            if isinstance(value, numpy.ndarray) and value.dtype in (numpy.float32, numpy.float64)
        ]
        if not self.leaves:
            raise NoReference("no input holds floats")
        scope = {**names, **{n: torch_side.to_input(v) for n, v in self.inputs.items()}}
        values = {name: scope[name].to(self._dtype).requires_grad_() for name in self.leaves}
        scope.update({name: value + BEND * value * value for name, value in values.items()})
        run(snippet.body, scope)
        result = evaluate(snippet.observe, scope)
        self.outputs, tensors = _float_outputs(result)
        stream = numpy.random.default_rng(11)
        self.factors = [stream.uniform(0.5, 1.5, tuple(t.shape)).astype(numpy.float32) for t in tensors]
        total = sum(
            (torch.from_numpy(f).to(t.dtype) * (t + BEND * t * t)).sum()
            for f, t in zip(self.factors, tensors, strict=True)
        )
        first = torch.autograd.grad(total, list(values.values()), create_graph=True, allow_unused=True)
        self.leaves = [name for name, g in zip(self.leaves, first, strict=True) if g is not None]
        self._first = {name: g for name, g in zip(values, first, strict=True) if g is not None}
        if not self._first or not any(g.requires_grad for g in self._first.values()):
            raise NoReference("the gradient does not depend on anything")
        targets = {**{n: values[n] for n in self.leaves}, **{f"m.{n}": p for n, p in parameters.items()}}
        self._second = {
            "first": _gradients([self._first[self.leaves[0]]], targets),
            "all": _gradients(list(self._first.values()), targets),
        }

    def first_order(self) -> dict[str, Any]:
        """ds/dv for each input, as float64 arrays."""
        return {name: g.detach().double().numpy(force=True) for name, g in self._first.items()}

    def second_order(self, way: str) -> dict[str, Any]:
        """The gradient of the penalty for inputs and weights, as float64 arrays."""
        return {name: g.detach().double().numpy(force=True) for name, g in self._second[way].items()}


def _gradients(first: list[Any], targets: dict[str, Any]) -> dict[str, Any]:
    """The gradient of the sum of squares of `first`; zeros where it does not depend on a target."""
    penalty = sum((g * g).sum() for g in first)
    if not penalty.requires_grad:
        return {name: torch.zeros_like(t) for name, t in targets.items()}
    found = torch.autograd.grad(penalty, list(targets.values()), allow_unused=True, retain_graph=True)
    return {
        name: torch.zeros_like(t) if g is None else g
        for (name, t), g in zip(targets.items(), found, strict=True)
    }


def _float_outputs(result: Any) -> tuple[list[int] | None, list[Any]]:
    """Which entries of the result are differentiated (None: the result is one tensor), and those tensors."""
    if isinstance(result, torch.Tensor):
        if result.is_complex():
            raise NoReference("the result is complex")
        if not result.requires_grad:
            raise NoReference("the result does not depend on a float input")
        return None, [result]
    if not isinstance(result, (tuple, list)):
        raise NoReference("the result is no tensor")
    chosen = [
        i
        for i, item in enumerate(result)
        if isinstance(item, torch.Tensor) and item.requires_grad and item.is_floating_point()
    ]
    if not chosen:
        raise NoReference("no part of the result depends on a float input")
    return chosen, [result[i] for i in chosen]


def _distance(array: Any, other: Any) -> float:
    scale = float(numpy.abs(other).max(initial=0))
    return float(numpy.abs(array - other).max(initial=0)) / scale if scale > 1e-12 else 0.0


def packed_array(array: Any) -> str:
    """An array as text."""
    stream = io.BytesIO()
    numpy.save(stream, array, allow_pickle=False)
    return base64.b64encode(stream.getvalue()).decode()


def _packed(value: Any) -> dict[str, Any]:
    if isinstance(value, NumpyInput):
        return {"numpy": packed_array(value.values)}
    if isinstance(value, numpy.ndarray):
        return {"array": packed_array(value.astype(numpy.float32) if value.dtype == numpy.float64 else value)}
    return {"literal": repr(value)}


__all__ = ["InputError", "NoReference", "packed_array", "reference"]
