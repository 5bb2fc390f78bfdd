"""torch's side of one sample, where torch ran on another machine: what it gave there, as JSON."""

from __future__ import annotations

import ast
import base64
from typing import Any

import numpy

from .compare import ArrayValue, NameValue, OpaqueValue
from .inputs import NARROW, Variant
from .reference import Gradients, ModuleState, NotRun, OptimizerRun, OracleReference, StepsFailed


def record(
    reference: OracleReference, example: dict[str, Any], variant: Variant, names: list[str]
) -> dict[str, Any]:
    """Ask a reference all that comparing the sample may ask; `names` are the inputs that are differentiated."""
    found: dict[str, Any] = {}
    try:
        reference.prepare()
    except NotRun as error:
        return {"not_prepared": str(error)}
    try:
        module = reference.module() if _binds_m(example["after"]) else None
        if module is not None:
            found["module"] = [_arrays(module.arrays), module.learned, module.training]
        if variant in NARROW:
            reference.narrow(variant.value)
        observed, inputs = reference.results()
        found["results"] = [_plain(observed), [[name, _plain(value)] for name, value in inputs.items()]]
    except NotRun as error:
        return {**found, "not_run": str(error)}
    if module is not None:
        found["state"] = _arrays(reference.state())
    if example["compare"] == "effect":
        try:
            run = reference.optimizer_run()
            if run is not None:
                ends = [[_plain(a) for a in arrays] for arrays in (run.starts, run.ends)]
                found["optimizer"] = [run.name, *ends, run.schedulers]
        except StepsFailed as error:
            found["steps_failed"] = str(error)
    if example["compare"] == "value" and variant is not Variant.INTEGER and variant not in NARROW:
        weights = module.learned if module is not None else []
        gradients = reference.gradients(names, weights) if names or weights else None
        if gradients is not None:
            factors = [_plain(one) for one in gradients.factors]
            found["gradients"] = [_arrays(gradients.inputs), _arrays(gradients.weights), factors]
    return found


def _binds_m(code: str) -> bool:
    """Whether MindSpore's side has something that may get the module's weights."""
    names = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name))
    return any(name.id == "m" and isinstance(name.ctx, ast.Store) for name in names)


class RecordedReference:
    """Answers from a record; what the record lacks was asked in vain there, too."""

    def __init__(self, content: dict[str, Any]) -> None:
        self._content = content

    def prepare(self) -> None:
        if "not_prepared" in self._content:
            raise NotRun(self._content["not_prepared"])

    @property
    def has_module(self) -> bool:
        """Whether there is a module `m`."""
        return "module" in self._content

    def module(self) -> ModuleState | None:
        if not self.has_module:
            return None
        arrays, learned, training = self._content["module"]
        return ModuleState(_read_arrays(arrays), learned, training)

    def narrow(self, dtype: str) -> None:
        pass

    def results(self) -> tuple[Any, dict[str, Any]]:
        if "not_run" in self._content:
            raise NotRun(self._content["not_run"])
        observed, inputs = self._content["results"]
        return _read(observed), {name: _read(value) for name, value in inputs}

    def state(self) -> dict[str, Any]:
        return _read_arrays(self._content["state"])

    def optimizer_run(self) -> OptimizerRun | None:
        if "steps_failed" in self._content:
            raise StepsFailed(self._content["steps_failed"])
        if "optimizer" not in self._content:
            return None
        name, starts, ends, schedulers = self._content["optimizer"]
        return OptimizerRun(name, [_read(one) for one in starts], [_read(one) for one in ends], schedulers)

    def gradients(self, names: list[str], weights: list[str]) -> Gradients | None:
        if "gradients" not in self._content:
            return None
        inputs, learned, factors = self._content["gradients"]
        found = _read_arrays(learned)
        return Gradients(
            _read_arrays(inputs), {name: found[name] for name in weights}, [_read(one) for one in factors]
        )


def _arrays(arrays: dict[str, Any]) -> list[list[Any]]:
    return [[name, _plain(array)] for name, array in arrays.items()]


def _read_arrays(rows: list[list[Any]]) -> dict[str, Any]:
    return {name: _read(array) for name, array in rows}


def _plain(value: Any) -> Any:
    """A value of a record as JSON: what JSON has not is an object with one key that says what it is."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return {"float": value.hex()}
    if isinstance(value, complex):
        return {"complex": [value.real.hex(), value.imag.hex()]}
    if isinstance(value, numpy.ndarray):
        data = base64.b64encode(numpy.ascontiguousarray(value).tobytes()).decode()
        return {"array": [str(value.dtype), list(value.shape), data]}
    if isinstance(value, ArrayValue):
        return {"tensor": [_plain(value.values), value.dtype]}
    if isinstance(value, NameValue):
        return {"name": value.name}
    if isinstance(value, OpaqueValue):
        return {"opaque": value.kind}
    if isinstance(value, dict):
        return {"dict": [[_plain(key), _plain(item)] for key, item in value.items()]}
    return {"tuple": [_plain(item) for item in value]}


def _read(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    [(kind, content)] = value.items()
    return _READERS[kind](content)


def _read_array(content: list[Any]) -> Any:
    dtype, shape, data = content
    return numpy.frombuffer(base64.b64decode(data), dtype).reshape(shape).copy()


_READERS: dict[str, Any] = {
    "float": float.fromhex,
    "complex": lambda parts: complex(*map(float.fromhex, parts)),
    "array": _read_array,
    "tensor": lambda parts: ArrayValue(_read(parts[0]), parts[1]),
    "name": NameValue,
    "opaque": OpaqueValue,
    "dict": lambda rows: {_read(key): _read(item) for key, item in rows},
    "tuple": lambda items: tuple(_read(item) for item in items),
}
