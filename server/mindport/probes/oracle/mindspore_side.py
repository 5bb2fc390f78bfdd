"""Runs the `after` of an example in MindSpore: results, gradients, module state and the effect of
optimizers."""

from __future__ import annotations

import sys
import types
from typing import Any

import mindspore
import mindspore.scipy
import numpy
from mindspore import mint, ops

from .compare import ArrayValue, NameValue
from .inputs import BFloat16Input, NumpyInput
from .plain_values import SHARED_NAMES, float_outputs, observe_plain
from .snippet import Snippet, evaluate, run

# Names of the same thing in the two frameworks, by the last part of the attribute path.
STATE_NAMES = {
    "gamma": "weight",
    "beta": "bias",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
    "embedding_table": "weight",
}


def set_up(device: str) -> None:
    """Choose the device, make errors appear at the call that causes them, and the arithmetic repeatable. Raises what
    MindSpore raises for a device that is not there."""
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    if hasattr(mindspore, "set_device"):
        mindspore.set_device(device)
    else:
        mindspore.set_context(device_target=device)
    launch_blocking = getattr(getattr(mindspore, "runtime", None), "launch_blocking", None)
    if launch_blocking is not None:
        launch_blocking()
    else:
        mindspore.set_context(pynative_synchronize=True)
    (mindspore.Tensor([1.0]) + 1).asnumpy()  # a device that is not there shows itself at the first call


def new_namespace(seed: int) -> dict[str, Any]:
    """The names an `after` may use; torch is not among them.

    They are those of a module, because MindSpore imports the module of a function that it compiles."""
    mindspore.set_seed(seed)
    module = sys.modules["example"] = types.ModuleType("example")
    names = vars(module)
    names.update(mindspore=mindspore, ms=mindspore, ops=ops, mint=mint, **SHARED_NAMES)
    return names


def to_input(value: Any) -> Any:
    """A MindSpore tensor for an array; a literal as it is."""
    if isinstance(value, NumpyInput):
        return value.values.copy()
    if isinstance(value, BFloat16Input):
        return mindspore.Tensor(value.values.copy()).astype(mindspore.bfloat16)
    return mindspore.Tensor(value.copy()) if isinstance(value, numpy.ndarray) else value


def observe(value: Any) -> Any:
    """A plain observation of a MindSpore result."""
    if isinstance(value, mindspore.Tensor):
        dtype = str(value.dtype).lower()
        dtype = {"bool_": "bool"}.get(dtype, dtype)
        plain = value.astype(mindspore.float32) if value.dtype == mindspore.bfloat16 else value
        return ArrayValue(plain.asnumpy().copy(), dtype)
    if isinstance(value, mindspore._c_expression.typing.Type):
        name = str(value).lower()
        return NameValue({"bool_": "bool"}.get(name, name))
    return observe_plain(value, observe)


def pair_state(cell: Any, expected: dict[str, Any], learned: set[str]) -> dict[str, Any]:
    """The parameter of `cell` for each of torch's `expected` names: by translated name, else by order and
    size.

    A buffer may lack a counterpart (MindSpore keeps some as plain attributes), and MindSpore may have more
    (gamma and beta of a layer without affine parameters). Raises ValueError for one of the `learned`
    parameters that has none."""
    own = [(_torch_name(name), p) for name, p in cell.parameters_and_names()]
    left = list(range(len(own)))
    pairs: dict[str, Any] = {}
    for name, array in expected.items():
        fitting = [i for i in left if own[i][1].size == array.size]
        last = name.rpartition(".")[2]
        named = [i for i in fitting if own[i][0] == name]
        named = named or [i for i in fitting if own[i][0].rpartition(".")[2] == last]
        if name not in learned and not named:
            continue
        if not fitting:
            raise ValueError(f"the MindSpore module has no parameter for {name} of shape {array.shape}")
        chosen = (named or fitting)[0]
        left.remove(chosen)
        pairs[name] = own[chosen][1]
    return pairs


def copy_state(pairs: dict[str, Any], expected: dict[str, Any]) -> None:
    """Write torch's arrays into the paired parameters."""
    for name, parameter in pairs.items():
        array = expected[name].reshape(parameter.shape)
        parameter.set_data(mindspore.Tensor(array).astype(parameter.dtype))


def narrow(cell: Any, dtype: str) -> None:
    """Give all floating point parameters the dtype."""
    for parameter in cell.get_parameters():
        if parameter.dtype == mindspore.float32:
            parameter.set_dtype(getattr(mindspore, dtype))


def optimizers(namespace: dict[str, Any]) -> dict[str, Any]:
    """The optimizers that the statements built, by variable name."""
    kinds = (mindspore.nn.Optimizer, mindspore.experimental.optim.Optimizer)
    return {n: v for n, v in namespace.items() if isinstance(v, kinds)}


def schedulers(namespace: dict[str, Any]) -> dict[str, Any]:
    """The learning-rate schedulers that the statements built, by variable name."""
    kinds = (
        mindspore.experimental.optim.lr_scheduler.LRScheduler,
        mindspore.experimental.optim.lr_scheduler.ReduceLROnPlateau,
    )
    return {n: v for n, v in namespace.items() if isinstance(v, kinds)}


def optimizer_step(optimizer: Any, gradients: list[Any]) -> None:
    """One step with the given gradients."""
    optimizer(tuple(mindspore.Tensor(g) for g in gradients))


def gradients(
    snippet: Snippet,
    namespace: dict[str, Any],
    inputs: dict[str, Any],
    names: list[str],
    weights: list[Any],
    factors: list[Any],
) -> tuple[list[Any], list[Any]]:
    """Gradients of the same combination of outputs as on torch's side, for the inputs and for `weights`.

    Whatever MindSpore raises comes through."""
    fixed = {**namespace, **{name: to_input(value) for name, value in inputs.items()}}

    def combination(*values: Any) -> Any:
        # Copies, as on torch's side: what is changed in place must not be the input of the derivative itself.
        scope = {**fixed, **{name: value.copy() for name, value in zip(names, values)}}
        run(snippet.body, scope)
        assert snippet.observe is not None
        outputs = float_outputs(evaluate(snippet.observe, scope), mindspore.Tensor)
        return sum((o * mindspore.Tensor(f).astype(o.dtype)).sum() for o, f in zip(outputs, factors))

    values = [to_input(inputs[name]) for name in names]
    if weights:
        positions = tuple(range(len(names))) if names else None
        found = mindspore.grad(combination, positions, weights=mindspore.ParameterTuple(weights))(*values)
        for_inputs, for_weights = found if names else ((), found)
    else:
        for_inputs, for_weights = mindspore.grad(combination, tuple(range(len(names))))(*values), ()
    return as_arrays(for_inputs), as_arrays(for_weights)


def as_arrays(gradients: Any) -> list[Any]:
    """The arrays of one gradient, or of several."""
    found = gradients if isinstance(gradients, (tuple, list)) else (gradients,)
    return [gradient.asnumpy() for gradient in found]


def _torch_name(path: str) -> str:
    parts = [part for part in path.split(".") if part not in ("bn1d", "bn2d", "rnn")]
    return ".".join([*parts[:-1], STATE_NAMES.get(parts[-1], parts[-1])])
