"""What torch computes of a sample, as plain values: the same whether torch runs here or ran elsewhere. Knows neither
framework."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy

STEP_SIZES = (1.0, 0.1, 3.0, 0.01, 0.3, 1.0)  # how large the slopes are in each step of an optimizer
SMALLEST_SLOPE = 1e-8


class NotRun(Exception):
    """torch itself cannot run the sample: a fault of the example, or a variant outside its domain."""


class StepsFailed(Exception):
    """torch's optimizer does not take the steps."""


class ModuleState(NamedTuple):
    """Of the module `m`: its arrays by name, the names of those that are learned, and whether it is training."""

    arrays: dict[str, Any]
    learned: list[str]
    training: bool


class OptimizerRun(NamedTuple):
    """The first optimizer of a sample: where its parameters were and where some steps took them, and the schedulers
    that went with it."""

    name: str
    starts: list[Any]
    ends: list[Any]
    schedulers: list[str]


class Gradients(NamedTuple):
    """Of a random combination of the outputs: for inputs and learned weights by name, and the combination's factors."""

    inputs: dict[str, Any]
    weights: dict[str, Any]
    factors: list[Any]


class OracleReference(Protocol):
    """torch's side of one sample, asked in this order."""

    def prepare(self) -> None:
        """Run what comes before the inputs. Raises NotRun."""

    def module(self) -> ModuleState | None:
        """The module `m`, with weights that differ from each other; None where there is none."""

    def narrow(self, dtype: str) -> None:
        """Give the module the dtype."""

    def results(self) -> tuple[Any, dict[str, Any]]:
        """What is observed, and the inputs as they are afterwards. Raises NotRun."""

    def state(self) -> dict[str, Any]:
        """The arrays of the module afterwards."""

    def optimizer_run(self) -> OptimizerRun | None:
        """Some steps of the first optimizer; None where there is none. Raises StepsFailed."""

    def gradients(self, names: list[str], weights: list[str]) -> Gradients | None:
        """Gradients for inputs and weights; None where torch has none to speak of."""


def course(shapes: list[tuple[int, ...]]) -> tuple[list[Any], list[Any]]:
    """Curvature and goal of each parameter for the steps of an optimizer.

    Among the slopes are tiny ones, because only they show where an epsilon stands in the rule, and each is smaller and
    larger from step to step, because only falling ones show what keeps the largest."""
    stream = numpy.random.default_rng(5)
    curvature = [stream.uniform(0.2, 2.0, shape).astype(numpy.float32) for shape in shapes]
    goal = [stream.uniform(-1, 1, shape).astype(numpy.float32) for shape in shapes]
    sizes = stream.permutation(numpy.geomspace(1, SMALLEST_SLOPE, sum(c.size for c in curvature)))
    bounds = numpy.cumsum([c.size for c in curvature])[:-1]
    parts = zip(curvature, numpy.split(sizes, bounds))
    return [c * part.reshape(c.shape).astype(numpy.float32) for c, part in parts], goal


def slopes(size: float, curvature: list[Any], goal: list[Any], values: list[Any]) -> list[Any]:
    """The gradients of one step, where the parameters have `values`."""
    rows = zip(curvature, goal, values)
    return [(size * a * (value - g)).astype(numpy.float32) for a, g, value in rows]


def metric(scheduler: Any) -> tuple[float, ...]:
    """What a scheduler's step takes, in both frameworks."""
    return (1.0,) if type(scheduler).__name__ == "ReduceLROnPlateau" else ()


def in_short(error: BaseException) -> str:
    """An exception on one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip(" -")]
    return f"{type(error).__name__}: {' '.join(lines)[:200]}"
