"""Compares what two frameworks computed. Knows neither of them: values arrive as plain observations."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy

# MindSpore's CPU kernels of tanh and the like are good to 3e-5; the tanh form of GELU differs by 5e-4, and an
# epsilon of 1e-7 for 1e-5 by far more on small inputs.
ABSOLUTE = 1e-5
RELATIVE = 1e-4
HALF_PRECISION = {"float16": 2e-3, "bfloat16": 2e-2}


class ArrayValue(NamedTuple):
    """A tensor: its values (bfloat16 widened to float32) and the name of its dtype."""

    values: Any
    dtype: str


class NameValue(NamedTuple):
    """Something that is compared by its name, such as a dtype."""

    name: str


class OpaqueValue(NamedTuple):
    """Something that cannot be compared; two of them always agree."""

    kind: str


class ResultDifference(NamedTuple):
    """Where two results differ and how; `kind` is `structure` (also shape and class of dtype), `value` or
    `gradient`."""

    place: str
    message: str
    kind: str


class Comparison(NamedTuple):
    """The outcome: the first difference, the largest absolute deviation, and remarks that are no
    difference."""

    difference: ResultDifference | None
    max_abs: float
    remarks: tuple[str, ...]


def compare(
    expected: Any,
    actual: Any,
    *,
    values: bool = True,
    place: str = "y",
    slack: float = 1.0,
    least_scale: float = 1e-2,
) -> Comparison:
    """Compare `actual` (MindSpore) with `expected` (torch); with `values` false only structure, shape and
    dtype class. `slack` multiplies the allowance; arrays of small numbers are allowed what those of `least_scale`
    are."""
    state = _State(values, slack, least_scale)
    difference = state.visit(expected, actual, place)
    return Comparison(difference, state.max_abs, tuple(dict.fromkeys(state.remarks)))


def dtype_class(dtype: str) -> str:
    """bool, int, float or complex."""
    for start, name in (("bool", "bool"), ("int", "int"), ("uint", "int"), ("complex", "complex")):
        if dtype.startswith(start):
            return name
    return "float"


def allowance(expected: Any, dtype: str, other_dtype: str, least_scale: float) -> Any:
    """The deviation allowed for each element of `expected`."""
    half = max((HALF_PRECISION.get(name, 0.0) for name in (dtype, other_dtype)), default=0.0)
    magnitude = numpy.abs(expected)
    # Sums lose precision relative to the largest terms, so the scale of the whole array counts a little, too.
    finite = magnitude[numpy.isfinite(magnitude)]
    scale = float(finite.max()) if finite.size else 0.0
    if half:
        return half + half * magnitude
    return ABSOLUTE * max(min(scale, 1.0), least_scale) + RELATIVE * magnitude + 1e-6 * scale


class _State:
    def __init__(self, values: bool, slack: float, least_scale: float) -> None:
        self.values = values
        self.slack = slack
        self.least_scale = least_scale
        self.max_abs = 0.0
        self.remarks: list[str] = []

    def visit(self, expected: Any, actual: Any, place: str) -> ResultDifference | None:
        if isinstance(expected, OpaqueValue) or isinstance(actual, OpaqueValue):
            if type(expected) is type(actual):
                return None
            return ResultDifference(place, f"{_describe(expected)} became {_describe(actual)}", "structure")
        if isinstance(expected, ArrayValue):
            return self._array(expected, actual, place)
        if isinstance(expected, NameValue):
            if expected == actual:
                return None
            return ResultDifference(place, f"{_describe(expected)} became {_describe(actual)}", "structure")
        if isinstance(expected, dict):
            if not isinstance(actual, dict) or list(expected) != list(actual):
                return ResultDifference(
                    place, f"{_describe(expected)} became {_describe(actual)}", "structure"
                )
            pairs = [(f"{place}[{key!r}]", expected[key], actual[key]) for key in expected]
            return self._all(pairs)
        if isinstance(expected, (tuple, list)):
            if not isinstance(actual, (tuple, list)) or len(expected) != len(actual):
                return ResultDifference(
                    place, f"{_describe(expected)} became {_describe(actual)}", "structure"
                )
            return self._all([(f"{place}[{i}]", a, b) for i, (a, b) in enumerate(zip(expected, actual))])
        return self._scalar(expected, actual, place)

    def _all(self, pairs: list[tuple[str, Any, Any]]) -> ResultDifference | None:
        for place, expected, actual in pairs:
            difference = self.visit(expected, actual, place)
            if difference is not None:
                return difference
        return None

    def _scalar(self, expected: Any, actual: Any, place: str) -> ResultDifference | None:
        numbers = (bool, int, float, complex)
        if type(expected) in numbers and type(actual) in numbers:
            if isinstance(expected, bool) != isinstance(actual, bool):
                return ResultDifference(place, f"{expected!r} became {actual!r}", "structure")
            if isinstance(expected, int) != isinstance(actual, int):
                return ResultDifference(place, f"{expected!r} became {actual!r}", "structure")
            if not self.values:
                return None
            return self._close(numpy.array(expected), numpy.array(actual), "float32", "float32", place)
        if type(expected) is type(actual) and (expected == actual or not self.values):
            return None
        kind = "value" if type(expected) is type(actual) else "structure"
        return ResultDifference(place, f"{expected!r} became {_describe(actual)}", kind)

    def _array(self, expected: ArrayValue, actual: Any, place: str) -> ResultDifference | None:
        if not isinstance(actual, ArrayValue):
            return ResultDifference(place, f"{_describe(expected)} became {_describe(actual)}", "structure")
        if expected.values.shape != actual.values.shape:
            return ResultDifference(
                place, f"shape {expected.values.shape} became {actual.values.shape}", "structure"
            )
        if dtype_class(expected.dtype) != dtype_class(actual.dtype):
            return ResultDifference(place, f"{expected.dtype} became {actual.dtype}", "structure")
        if expected.dtype != actual.dtype:
            self.remarks.append(f"{actual.dtype} where torch gives {expected.dtype}")
        if not self.values:
            return None
        return self._close(expected.values, actual.values, expected.dtype, actual.dtype, place)

    def _close(
        self, expected: Any, actual: Any, dtype: str, other_dtype: str, place: str
    ) -> ResultDifference | None:
        if expected.size == 0:
            return None
        if dtype_class(dtype) in ("bool", "int") and expected.dtype.kind != "f":
            wrong = expected != actual
            return _first_difference(wrong, expected, actual, place, "")
        kind = numpy.complex128 if numpy.iscomplexobj(expected) else numpy.float64
        wide, other = expected.astype(kind), actual.astype(kind)
        same = (wide == other) | (numpy.isnan(wide) & numpy.isnan(other))
        with numpy.errstate(invalid="ignore", over="ignore"):
            deviation = numpy.where(same, 0.0, numpy.abs(wide - other))
        self.max_abs = max(self.max_abs, float(numpy.nanmax(deviation, initial=0.0)))
        tolerable = numpy.isfinite(deviation) & (
            deviation <= self.slack * allowance(wide, dtype, other_dtype, self.least_scale)
        )
        wrong = ~(same | tolerable)
        return _first_difference(wrong, wide, other, place, ".6g")


def _first_difference(
    wrong: Any, expected: Any, actual: Any, place: str, form: str
) -> ResultDifference | None:
    """What the mask `wrong` says, with the first two values in the format `form`; None if nothing is."""
    if not wrong.any():
        return None
    index = tuple(int(i) for i in numpy.argwhere(wrong)[0])
    return ResultDifference(
        place,
        f"{int(wrong.sum())} of {wrong.size} values differ, first at {list(index)}: "
        f"{expected[index]:{form}} became {actual[index]:{form}}",
        "value",
    )


def _describe(value: Any) -> str:
    if isinstance(value, ArrayValue):
        return f"a {value.dtype} tensor of shape {tuple(value.values.shape)}"
    if isinstance(value, NameValue):
        return value.name
    if isinstance(value, OpaqueValue):
        return f"a {value.kind}"
    if isinstance(value, (tuple, list)):
        return f"{len(value)} values"
    if isinstance(value, dict):
        return f"a dict of {list(value)}"
    return repr(value)
