"""What is drawn at random is compared by what many draws have in common, and by value where nothing is drawn."""

import numpy
import pytest

from mindport.probes.oracle.compare import ArrayValue
from mindport.probes.oracle.drawn import DRAWS, compare_draws

pytestmark = pytest.mark.oracle


def draws(make, seed):
    stream = numpy.random.default_rng(seed)
    return [ArrayValue(numpy.asarray(make(stream), numpy.float32), "float32") for _ in range(DRAWS)]


SHAPE = (3, 4)
UNIFORM = lambda stream: stream.uniform(-1, 1, SHAPE)  # noqa: E731  one of a table
HALF = lambda stream: 2.0 * (stream.random(SHAPE) < 0.5)  # noqa: E731
ALIKE = {
    "uniform": (UNIFORM, UNIFORM),
    "dropped": (HALF, HALF),
    "whole channels": (
        lambda s: HALF(s)[:, :1] * numpy.ones(SHAPE),
        lambda s: HALF(s)[:, :1] * numpy.ones(SHAPE),
    ),
    "the same every time": (lambda s: numpy.ones(SHAPE), lambda s: numpy.ones(SHAPE)),
    "none": (lambda s: numpy.zeros((0, 3)), lambda s: numpy.zeros((0, 3))),
    "as many as are drawn": (lambda s: s.normal(size=s.integers(9)), lambda s: s.normal(size=s.integers(9))),
}
OTHERS = {
    "wider": (UNIFORM, lambda s: 1.5 * UNIFORM(s), "mean square"),
    "moved": (UNIFORM, lambda s: UNIFORM(s) + 0.5, "mean:"),
    "as wide, and of two values": (
        UNIFORM,
        lambda s: numpy.sign(UNIFORM(s)) * 3**-0.5 * (HALF(s) > 0) * 2**0.5,
        "zeros",
    ),
    "fewer dropped": (HALF, lambda s: 1.25 * (s.random(SHAPE) < 0.8), "zeros"),
    "not a number": (UNIFORM, lambda s: numpy.full(SHAPE, numpy.nan), "no number"),
    "drawn, where torch is sure": (lambda s: numpy.ones(SHAPE), HALF, "values differ"),
    "sure, where torch draws": (HALF, lambda s: numpy.zeros(SHAPE), "zeros"),
    "another shape": (UNIFORM, lambda s: UNIFORM(s)[0], "shape"),
}


@pytest.mark.parametrize(("one", "other"), ALIKE.values(), ids=list(ALIKE))
@pytest.mark.parametrize("seed", range(5))
def test_chance_alone_is_no_difference(one, other, seed):
    assert compare_draws(draws(one, seed), draws(other, 100 + seed)).difference is None


@pytest.mark.parametrize(("one", "other", "told"), OTHERS.values(), ids=list(OTHERS))
@pytest.mark.parametrize("seed", range(5))
def test_other_draws_are_told(one, other, told, seed):
    found = compare_draws(draws(one, seed), draws(other, 100 + seed)).difference
    assert found is not None and told in found.message


def test_parts_are_named():
    pairs = [{"m": (one, two)} for one, two in zip(draws(UNIFORM, 1), draws(UNIFORM, 2), strict=True)]
    wider = [
        {"m": (one, two)}
        for one, two in zip(draws(UNIFORM, 3), draws(lambda s: 2 * UNIFORM(s), 4), strict=True)
    ]
    found = compare_draws(pairs, wider).difference
    assert found is not None and found.place == "y['m'][1]"
