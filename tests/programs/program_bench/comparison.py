"""Compares what the two sides computed, within what rounding alone does to torch's own results."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

TOLERANCE, TIMES_ROUNDING, SPREAD_TOLERANCE = 1e-4, 8, 0.15
LOOSE = 0.01
ROUNDINGS = ("rounding0", "rounding1")

Array = NDArray[np.float64]
Outputs = Mapping[str, Array]


class Difference(msgspec.Struct, frozen=True):
    """The first output that is another: how far it is, measured by the largest value, and how far it might be."""

    output: str
    what: str
    distance: float | None = None
    allowed: float | None = None

    def __str__(self) -> str:
        """One sentence."""
        far = f" by {self.distance:.1e} (allowed {self.allowed:.1e})" if self.distance is not None else ""
        return f"{self.output} {self.what}{far}"


def first_difference(
    stage: str, expected: Outputs, got: Outputs, parts: Mapping[str, str], got_stage: str = ""
) -> Difference | None:
    """Compare all outputs of a stage; `got_stage` is what the other side calls it, `parts` why one is not there."""
    for key in [key for key in expected if key.startswith(f"{stage}/")]:
        name = key.partition("/")[2]
        other = f"{got_stage or stage}/{name}"
        if other not in got:
            return Difference(name, parts.get(other, "is absent"))
        different = _compare(stage, key, expected, got[other])
        if different is not None:
            return different
    return None


def loosest(expected: Outputs) -> float:
    """The widest tolerance that rounding leaves to an output of training: above LOOSE the level says little."""
    keys = [key for key in expected if key.startswith("train/")]
    return max([TOLERANCE, *(TIMES_ROUNDING * _rounding(key, expected) for key in keys)])


def same_outputs(first: Outputs, second: Outputs) -> str:
    """Empty where two runs gave the same bits, else the name of the first output that differs."""
    for key in sorted({*first, *second}):
        if (
            key not in first
            or key not in second
            or not np.array_equal(first[key], second[key], equal_nan=True)
        ):
            return key
    return ""


def _compare(stage: str, key: str, expected: Outputs, value: Array) -> Difference | None:
    wanted, name = expected[key], key.partition("/")[2]
    if wanted.shape != value.shape and not (wanted.size == value.size == 1):
        return Difference(name, f"has shape {value.shape}, torch's {wanted.shape}")
    value = value.reshape(wanted.shape)
    finite = np.isfinite(wanted)
    if not np.array_equal(finite, np.isfinite(value)):
        return Difference(name, "is not finite where torch is, or the other way round")
    if stage == "init":
        # A spread; what is zero there has to be zero here.
        size, allowed = max(_largest(wanted), 1e-6), SPREAD_TOLERANCE
    else:
        size, allowed = _largest(wanted) or 1.0, max(TOLERANCE, TIMES_ROUNDING * _rounding(key, expected))
    distance = _largest((wanted - value)[finite]) / size
    return None if distance <= allowed else Difference(name, "differs", distance, allowed)


def _rounding(key: str, expected: Outputs) -> float:
    wanted = expected[key]
    moved = [expected[f"{r}/{key}"] for r in ROUNDINGS if f"{r}/{key}" in expected]
    far = [_largest(other - wanted) for other in moved if other.shape == wanted.shape]
    return max(far, default=0.0) / (_largest(wanted) or 1.0)


def _largest(values: Array) -> float:
    return float(np.abs(values[np.isfinite(values)]).max(initial=0))
