"""Runs the `before` of an example in torch: results, gradients, module state and the effect of optimizers."""

from __future__ import annotations

from typing import Any

import numpy
import torch

from .compare import ArrayValue, NameValue
from .inputs import BFloat16Input, NumpyInput
from .late_package import LatePackage
from .plain_values import SHARED_NAMES, float_outputs, observe_plain
from .snippet import Snippet, evaluate, run
from .torchaudio_import import import_torchaudio
from .torchvision_import import import_torchvision


def new_namespace(seed: int) -> dict[str, Any]:
    """The names a `before` may use, with torch's random stream seeded."""
    torch.manual_seed(seed)
    return {
        "torch": torch,
        "nn": torch.nn,
        "F": torch.nn.functional,
        "optim": torch.optim,
        "torchaudio": LatePackage(import_torchaudio),
        "torchvision": LatePackage(import_torchvision),
        **SHARED_NAMES,
    }


def to_input(value: Any) -> Any:
    """A torch tensor for an array; a literal as it is."""
    if isinstance(value, NumpyInput):
        return value.values.copy()
    if isinstance(value, BFloat16Input):
        return torch.from_numpy(value.values.copy()).bfloat16()
    return torch.from_numpy(value.copy()) if isinstance(value, numpy.ndarray) else value


def observe(value: Any) -> Any:
    """A plain observation of a torch result."""
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        plain = value.detach()
        if plain.layout is not torch.strided:
            plain = plain.to_dense()
        plain = plain.resolve_conj().resolve_neg()
        return ArrayValue((plain.float() if plain.dtype is torch.bfloat16 else plain).numpy().copy(), dtype)
    if isinstance(value, torch.dtype):
        return NameValue(str(value).removeprefix("torch."))
    return observe_plain(value, observe)


def perturb(module: Any) -> None:
    """Give every parameter and running statistic its own value, so that mixed-up weights show. Other buffers
    are arguments that the example gave."""
    stream = torch.Generator().manual_seed(7)
    learned = {name for name, _ in module.named_parameters()}
    for name, tensor in module.state_dict().items():
        if not tensor.is_floating_point() or not (name in learned or "running_" in name):
            continue
        noise = torch.rand(tensor.shape, generator=stream, dtype=torch.float32).to(tensor.dtype)
        with torch.no_grad():
            tensor.copy_(0.5 + noise if name.endswith("running_var") else tensor + 0.2 * (noise - 0.5))


def state(module: Any) -> dict[str, Any]:
    """Floating point parameters and buffers by name, as arrays."""
    floats = {n: t.detach() for n, t in module.state_dict().items() if t.is_floating_point()}
    return {n: (t.float() if t.dtype is torch.bfloat16 else t).numpy().copy() for n, t in floats.items()}


def narrow(module: Any, dtype: str) -> None:
    """Give all floating point parameters and buffers the dtype."""
    module.to(getattr(torch, dtype))


def optimizers(namespace: dict[str, Any]) -> dict[str, Any]:
    """The optimizers that the statements built, by variable name."""
    return {n: v for n, v in namespace.items() if isinstance(v, torch.optim.Optimizer)}


def schedulers(namespace: dict[str, Any]) -> dict[str, Any]:
    """The learning-rate schedulers that the statements built, by variable name."""
    return {n: v for n, v in namespace.items() if isinstance(v, torch.optim.lr_scheduler.LRScheduler)}


def optimizer_parameters(optimizer: Any) -> list[Any]:
    """All parameters of all groups, in order."""
    return [p for group in optimizer.param_groups for p in group["params"]]


def optimizer_step(optimizer: Any, gradients: list[Any]) -> None:
    """One step with the given gradients."""
    for parameter, gradient in zip(optimizer_parameters(optimizer), gradients):
        parameter.grad = torch.from_numpy(gradient)
        if isinstance(optimizer, torch.optim.SparseAdam):  # takes no other gradients
            parameter.grad = parameter.grad.to_sparse(1)
    optimizer.step()


def gradients(
    snippet: Snippet, namespace: dict[str, Any], inputs: dict[str, Any], names: list[str], weights: list[Any]
) -> tuple[list[Any], list[Any], list[Any]] | None:
    """Gradients of a random combination of the outputs: for the inputs `names`, for the parameters of `m`,
    and the factors of the combination. None where torch has no gradient to speak of (no floating point
    output, or it raises)."""
    leaves = {name: to_input(inputs[name]).requires_grad_() for name in names}
    scope = {**namespace, **{name: to_input(value) for name, value in inputs.items()}}
    scope.update({name: leaf.clone() for name, leaf in leaves.items()})
    try:
        run(snippet.body, scope)
        assert snippet.observe is not None
        outputs = float_outputs(evaluate(snippet.observe, scope), torch.Tensor)
        if not outputs:
            return None
        stream = numpy.random.default_rng(11)
        factors = [stream.uniform(0.5, 1.5, tuple(o.shape)).astype(numpy.float32) for o in outputs]
        connected = [(o, f) for o, f in zip(outputs, factors) if o.requires_grad]
        targets = [*leaves.values(), *weights]
        found: list[Any] = [None] * len(targets)
        if connected:
            total = sum((o * torch.from_numpy(f).to(o.dtype)).sum() for o, f in connected)
            found = list(torch.autograd.grad(total, targets, allow_unused=True))
    except (RuntimeError, TypeError, ValueError, AttributeError, NotImplementedError, NameError):
        return None
    arrays = [
        (torch.zeros_like(t) if g is None else g.to_dense() if g.is_sparse else g).detach().numpy(force=True)
        for g, t in zip(found, targets)
    ]
    return arrays[: len(names)], arrays[len(names) :], factors
