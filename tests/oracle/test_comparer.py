"""The comparer must call wrong pairs different and right pairs equal; it needs no framework to run."""

import numpy
import pytest

from mindport.probes.oracle.compare import ArrayValue, NameValue, OpaqueValue, compare
from mindport.probes.oracle.inputs import InputError, Variant, make_inputs

pytestmark = pytest.mark.oracle


def array(values, dtype="float32"):
    return ArrayValue(numpy.array(values, dtype), dtype)


EQUAL = [
    (array([1.0, 2.0]), array([1.0, 2.0])),
    (array([1.0, 2.0]), array([1.000001, 2.000001])),
    (array([float("nan"), float("inf")]), array([float("nan"), float("inf")])),
    (array([]), array([])),
    (array([1, 2], "int64"), array([1, 2], "int32")),
    (array([1.0], "float64"), array([1.0], "float32")),
    ((array([1.0]), 3), [array([1.0]), 3]),
    ({"a": array([1.0])}, {"a": array([1.0])}),
    (NameValue("float32"), NameValue("float32")),
    (OpaqueValue("object"), OpaqueValue("object")),
    (None, None),
    ("mean", "mean"),
    (2.0, 2.0000001),
    (array([1.0], "float16"), array([1.0009], "float16")),
]

DIFFERENT = [
    (array([1.0, 2.0]), array([1.0, 2.001])),
    (array([1e-4, 2e-4]), array([1e-4, 2.1e-4])),
    (array([1.0, 1000.0]), array([1.01, 1000.0])),
    (array([1.0]), array([float("nan")])),
    (array([float("nan")]), array([1.0])),
    (array([float("inf")]), array([-float("inf")])),
    (array([1.0]), array([[1.0]])),
    (array([]), array([[]])),
    (array([1, 2], "int64"), array([1, 3], "int64")),
    (array([1, 2], "int64"), array([1.0, 2.0])),
    (array([True], "bool"), array([1.0])),
    (array([True, False], "bool"), array([1, 0], "int64")),
    (array([1.0]), (array([1.0]),)),
    ((array([1.0]), array([1.0])), (array([1.0]),)),
    ({"a": array([1.0])}, {"b": array([1.0])}),
    (NameValue("float32"), NameValue("float16")),
    (array([1.0]), None),
    (None, array([1.0])),
    (array([1.0]), 1.0),
    (3, 3.0),
    (True, 1),
    ("mean", "sum"),
    (OpaqueValue("object"), array([1.0])),
]


@pytest.mark.parametrize(("expected", "actual"), EQUAL)
def test_equal_results_agree(expected, actual):
    assert compare(expected, actual).difference is None


@pytest.mark.parametrize(("expected", "actual"), DIFFERENT)
def test_different_results_are_told_apart(expected, actual):
    assert compare(expected, actual).difference is not None


def test_structure_only_ignores_values_but_not_shapes():
    assert compare(array([1.0]), array([2.0]), values=False).difference is None
    assert compare(array([1.0]), array([2.0, 1.0]), values=False).difference is not None
    assert compare(array([1.0]), array([1], "int64"), values=False).difference is not None


def test_a_narrower_dtype_is_remarked():
    assert compare(array([1], "int64"), array([1], "int32")).remarks == ("int32 where torch gives int64",)


def test_inputs_repeat_for_a_seed_and_follow_the_variant():
    texts = {"x": "rand(2, 3)", "i": "randint(0, 5, (3,))", "b": "randbool(4)", "n": "[1, 2.5]"}
    first, again = (make_inputs(texts, Variant.OWN, 1) for _ in range(2))
    assert all(numpy.array_equal(first[name], again[name]) for name in texts)
    assert first["x"].shape == (2, 3) and first["x"].dtype == "float32" and (first["x"] >= 0).all()
    assert first["i"].dtype == "int64" and first["b"].dtype == "bool" and first["n"] == [1, 2.5]
    assert (make_inputs(texts, Variant.SIGNED, 1)["x"] < 0).any()
    assert make_inputs(texts, Variant.DOUBLE, 1)["x"].dtype == "float64"
    assert make_inputs(texts, Variant.INTEGER, 1)["x"].dtype == "int64"


@pytest.mark.parametrize(
    "text", ["open('f')", "rand(2).sum()", "__import__('os')", "x", "rand(", "[i for i in (1,)]"]
)
def test_inputs_outside_the_language_are_refused(text):
    with pytest.raises(InputError):
        make_inputs({"x": text}, Variant.OWN, 0)
