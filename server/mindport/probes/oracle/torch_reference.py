"""torch's side of one sample, where torch runs here."""

from __future__ import annotations

from typing import Any

import numpy
import torch

from . import torch_side
from .compare import ArrayValue
from .inputs import Variant
from .reference import (
    STEP_SIZES,
    Gradients,
    ModuleState,
    NotRun,
    OptimizerRun,
    StepsFailed,
    course,
    in_short,
    metric,
    slopes,
)
from .snippet import Snippet, evaluate, run
from .torchvision_import import import_torchvision


class TorchReference:
    """Runs the `before` of an example."""

    def __init__(self, snippet: Snippet, inputs: dict[str, Any], variant: Variant, seed: int) -> None:
        self._snippet = snippet
        self._inputs = inputs
        self._variant = variant
        self._names = torch_side.new_namespace(seed)

    def prepare(self) -> None:
        _run(self._snippet.prelude, self._names)

    @property
    def has_module(self) -> bool:
        """Whether there is a module `m`."""
        return isinstance(self._names.get("m"), torch.nn.Module)

    @property
    def is_training(self) -> bool:
        """Whether the module `m` is there, and training."""
        return self.has_module and bool(self._names["m"].training)

    def weights(self) -> dict[str, tuple[ArrayValue, bool]]:
        """The arrays of the module `m`, if it is there, as they are, and whether each is learned."""
        if not self.has_module:
            return {}
        learned = {name for name, one in self._names["m"].named_parameters() if one.requires_grad}
        return {name: (ArrayValue(one, "float32"), name in learned) for name, one in self.state().items()}

    def module(self) -> ModuleState | None:
        if not self.has_module:
            return None
        module = self._names["m"]
        torch_side.perturb(module)
        learned = [name for name, _ in module.named_parameters()]
        return ModuleState(torch_side.state(module), learned, module.training)

    def narrow(self, dtype: str) -> None:
        if self.has_module:
            torch_side.narrow(self._names["m"], dtype)

    def results(self) -> tuple[Any, dict[str, Any]]:
        names, snippet = self._names, self._snippet
        names.update({name: torch_side.to_input(value) for name, value in self._inputs.items()})
        _run(snippet.body, names)
        try:
            found = None if snippet.observe is None else torch_side.observe(evaluate(snippet.observe, names))
        except Exception as error:  # noqa: BLE001  the observed expression may raise anything
            raise NotRun(f"torch: {in_short(error)}") from None
        if self._variant not in (Variant.OWN, Variant.INFINITE, Variant.NAN) and _has_nan(found):
            raise NotRun("outside the domain: torch gives NaN")
        return found, {name: torch_side.observe(names[name]) for name in self._inputs}

    def state(self) -> dict[str, Any]:
        return torch_side.state(self._names["m"])

    def optimizer_run(self) -> OptimizerRun | None:
        found = torch_side.optimizers(self._names)
        if not found:
            return None
        name, optimizer = next(iter(found.items()))
        parameters = torch_side.optimizer_parameters(optimizer)
        schedulers = torch_side.schedulers(self._names)
        starts = [parameter.detach().numpy().copy() for parameter in parameters]
        curvature, goal = course([tuple(p.shape) for p in parameters])
        try:
            for size in STEP_SIZES:
                now = [p.detach().numpy() for p in parameters]
                torch_side.optimizer_step(optimizer, slopes(size, curvature, goal, now))
                for scheduler in schedulers.values():
                    scheduler.step(*metric(scheduler))
        except (RuntimeError, TypeError, ValueError, AttributeError) as error:
            raise StepsFailed(in_short(error)) from None
        return OptimizerRun(name, starts, [p.detach().numpy() for p in parameters], list(schedulers))

    def gradients(self, names: list[str], weights: list[str]) -> Gradients | None:
        learned = dict(self._names["m"].named_parameters()) if weights else {}
        found = torch_side.gradients(
            self._snippet, self._names, self._inputs, names, [learned[name] for name in weights]
        )
        if found is None:
            return None
        return Gradients(dict(zip(names, found[0])), dict(zip(weights, found[1])), found[2])


def _run(code: Any, names: dict[str, Any]) -> None:
    try:
        if any(name.startswith("torchvision.") for name in code.co_names):  # it imports a part of it
            import_torchvision()
        run(code, names)
    except Exception as error:  # noqa: BLE001  the example's code may raise anything
        raise NotRun(f"torch: {in_short(error)}") from None


def _has_nan(value: Any) -> bool:
    if isinstance(value, ArrayValue):
        return value.values.dtype.kind in "fc" and bool(numpy.isnan(value.values).any())
    if isinstance(value, dict):
        return any(_has_nan(item) for item in value.values())
    return isinstance(value, (tuple, list)) and any(_has_nan(item) for item in value)
