"""Compares what is drawn at random, results and the weights that a layer begins with, by what many draws have in
common. Knows neither framework."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy

from .compare import ArrayValue, Comparison, ResultDifference, compare

DRAWS = 60
FEWEST = 12  # fewer say nothing
SECONDS = 3.0  # for torch's draws
_DEVIATIONS = 5.0  # of the difference between two means, so that chance makes one in a million differ
_MEASURES = ("share of what is no number", "share of zeros", "mean", "mean square")


def compare_draws(expected: Sequence[Any], actual: Sequence[Any], *, place: str = "y") -> Comparison:
    """Compare as many observations of MindSpore's as of torch's: one by one where torch's are all the same; else the
    mean, the mean square, and how many are zero or no numbers, of each array over all draws."""
    if all(compare(expected[0], other).difference is None for other in expected[1:]):
        return next(
            (
                found
                for one in actual
                if (found := compare(expected[0], one, place=place)).difference is not None
            ),
            compare(expected[0], actual[0], place=place),
        )
    shapes = compare(expected[0], actual[0], values=False, place=place)
    has_shapes = all(compare(expected[0], other, values=False).difference is None for other in expected[1:])
    if shapes.difference is not None:
        return shapes if has_shapes else Comparison(None, 0.0, ())
    theirs, ours = ([dict(_arrays(draw, place)) for draw in draws] for draws in (expected, actual))
    for name in theirs[0]:
        both = [[_measures(draw[name]) for draw in draws if name in draw] for draws in (theirs, ours)]
        told = _told(*both)
        if told:
            return Comparison(
                ResultDifference(name, f"of {len(both[0])} draws the {told}", "value"), 0.0, shapes.remarks
            )
    return Comparison(None, 0.0, shapes.remarks)


def _arrays(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, ArrayValue):
        yield place, numpy.abs(value.values) if value.values.dtype.kind == "c" else value.values
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _arrays(item, f"{place}[{key!r}]")
    elif isinstance(value, (tuple, list)):
        for number, item in enumerate(value):
            yield from _arrays(item, f"{place}[{number}]")
    elif isinstance(value, (bool, int, float)):
        yield place, numpy.array(value)


def _measures(array: Any) -> tuple[float, ...]:
    """What is measured of one draw; all 0 of an empty one."""
    if not array.size:
        return (0.0,) * len(_MEASURES)
    wide = array.astype(numpy.float64)
    is_number = numpy.isfinite(wide)
    numbers = numpy.where(is_number, wide, 0.0)
    shares = float((~is_number).mean()), float((wide == 0).mean())
    return (*shares, float(numbers.mean()), float((numbers**2).mean()))


def _told(expected: list[tuple[float, ...]], actual: list[tuple[float, ...]]) -> str:
    """Which measure differs by more than chance explains; empty if none does."""
    theirs, ours = numpy.array(expected), numpy.array(actual)
    means, others = theirs.mean(0), ours.mean(0)
    spread = numpy.sqrt(theirs.var(0) / len(theirs) + ours.var(0) / len(ours))
    allowed = _DEVIATIONS * spread + 1e-3 * numpy.abs(means) + 1e-6
    for measure, mean, other, most in zip(_MEASURES, means, others, allowed):
        if abs(mean - other) > most:
            return f"{measure}: {mean:.4g} became {other:.4g}"
    return ""
