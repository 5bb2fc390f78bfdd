"""Converters write the new value, or say that they cannot."""

from __future__ import annotations

import pytest

from mindport.mapping.converters import CONVERTERS, convert, is_atom

CASES = [
    ("one_minus", "0.1", "float", "0.9"),
    ("one_minus", "0.01", "float", "0.99"),
    ("one_minus", "1", "int", "0"),
    ("one_minus", "p", "unknown", "1 - p"),
    ("one_minus", "a + b", "unknown", "1 - (a + b)"),
    ("one_minus", "self.p", "unknown", "1 - self.p"),
    ("negate", "2", "int", "-2"),
    ("negate", "-2", "int", "2"),
    ("negate", "a + b", "unknown", "-(a + b)"),
    ("not", "True", "bool", "False"),
    ("not", "False", "bool", "True"),
    ("not", "a or b", "unknown", "not (a or b)"),
    ("pair_to_quad", "(1, 2)", "sequence", "(1, 1, 2, 2)"),
    ("pair_to_quad", "[1, k // 2]", "sequence", "(1, 1, k // 2, k // 2)"),
    ("pair_to_quad", "(1,)", "sequence", "(1, 1, 1, 1)"),
    ("pair_to_quad", "3", "int", "3"),
    ("pair_to_quad", "padding", "unknown", None),
    ("pair_to_quad", "(1, 2, 3)", "sequence", None),
    ("pair_to_quad", "(*a, 1)", "sequence", None),
    ("triple_to_six", "(1, 2, 3)", "sequence", "(1, 1, 2, 2, 3, 3)"),
    ("triple_to_six", "(1, 2)", "sequence", None),
    ("quad_if_pair", "(1, k)", "sequence", "(1, 1, k, k)"),
    ("quad_if_pair", "padding", "unknown", "padding"),
    ("quad_if_pair", "(1, 2, 3)", "sequence", None),
    ("six_if_triple", "(1, 2, 3)", "sequence", "(1, 1, 2, 2, 3, 3)"),
    ("six_if_triple", "k // 2", "int", "k // 2"),
    ("one_axis", "dim", "unknown", "(dim,)"),
    ("one_axis", "4 * dim", "int", "(4 * dim,)"),
    ("one_axis", "[dim]", "sequence", "[dim]"),
    ("one_axis", "(4, dim)", "sequence", None),
    ("one_axis", "shape", "sequence", None),
    ("float_literal", "1", "int", "1.0"),
    ("float_literal", "-1", "int", "-1.0"),
    ("float_literal", "0.5", "float", "0.5"),
    ("float_literal", "p", "unknown", "p"),
    ("tuple_if_list", "[2, 4]", "sequence", "(2, 4)"),
    ("tuple_if_list", "[2]", "sequence", "(2,)"),
    ("tuple_if_list", "(2, 4)", "sequence", "(2, 4)"),
    ("tuple_if_list", "axes", "unknown", "axes"),
    ("tuple_if_list", "axes", "sequence", "tuple(axes)"),
    ("tuple_if_list", "[k] * 2", "sequence", "tuple([k] * 2)"),
    ("tuple_if_list", "tuple(axes)", "sequence", "tuple(axes)"),
    ("tuple_if_list", "x.shape", "sequence", "x.shape"),
    ("tuple_if_list", "-1", "int", "-1"),
    ("as_tuple", "self.dims", "unknown", "tuple(self.dims)"),
    ("as_tuple", "[0, -1, *rest]", "sequence", "tuple([0, -1, *rest])"),
    ("as_tuple", "[0, k]", "sequence", "(0, k)"),
    ("as_tuple", "(0, k)", "sequence", "(0, k)"),
    ("as_tuple", "(0, *rest)", "sequence", "(0, *rest)"),
    ("as_tuple", "(a or b)", "unknown", "tuple((a or b))"),
    ("as_tuple", "tuple(dims)", "sequence", "tuple(dims)"),
    ("int_if_numpy", "np.prod(shape)", "unknown", "int(np.prod(shape))"),
    ("int_if_numpy", "numpy.array(s).prod()", "unknown", "int(numpy.array(s).prod())"),
    ("int_if_numpy", "int(np.prod(shape))", "int", "int(np.prod(shape))"),
    ("int_if_numpy", "width", "unknown", "width"),
    ("int_if_numpy", "width", "ndarray", "int(width)"),
    ("int_if_numpy", "width", "int", "width"),
    ("int_if_numpy", "sum(sizes)", "unknown", "int(sum(sizes))"),
    ("int_if_numpy", "sum(sizes)", "int", "sum(sizes)"),
    ("int_if_numpy", "2 * max(a, b)", "unknown", "int(2 * max(a, b))"),
    ("int_if_numpy", "x.max()", "unknown", "x.max()"),
    ("int_if_numpy", "2 * len(x)", "unknown", "2 * len(x)"),
    ("int_if_numpy", "nplike(shape)", "unknown", "nplike(shape)"),
    ("list_if_tuple", "(2, 4)", "sequence", "[2, 4]"),
    ("list_if_tuple", "[2, 4]", "sequence", "[2, 4]"),
    ("list_if_tuple", "steps", "unknown", "steps"),
    ("list_if_tuple", "parts.values()", "sequence", "list(parts.values())"),
    ("list_if_tuple", "list(steps)", "sequence", "list(steps)"),
    ("list_if_tuple", "[f(i) for i in steps]", "sequence", "[f(i) for i in steps]"),
    ("to_tuple", "2", "int", "(2,)"),
    ("to_tuple", "[1, 2]", "sequence", "(1, 2)"),
    ("to_tuple", "dims", "sequence", "tuple(dims)"),
    ("to_tuple", "dims", "unknown", None),
    ("to_list", "(1, 2)", "sequence", "[1, 2]"),
    ("to_list", "2", "int", "[2]"),
    ("first", "(2, 2)", "sequence", "2"),
    ("first", "(2, 3)", "sequence", None),
    ("first", "2", "int", "2"),
    ("pair", "3", "int", "(3, 3)"),
    ("pair", "(3, 2)", "sequence", "(3, 2)"),
    ("pair", "k", "unknown", None),
    ("to_float", "1", "int", "1.0"),
    ("to_float", "n", "int", "float(n)"),
    ("to_float", "x", "tensor", None),
    ("upper", "'sum'", "str", "'SUM'"),
    ("upper", "mode", "str", None),
]


@pytest.mark.parametrize(("name", "source", "kind", "expected"), CASES)
def test_convert(name, source, kind, expected):
    assert convert(name, source, kind) == expected


def test_every_converter_is_tested():
    assert {name for name, *_ in CASES} == set(CONVERTERS)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x", True), ("x.y", True), ("f(x)[0]", True), ("(a + b)", True), ("[1, 2]", True), ("'a'", True),
        ("12", True), ("(a) + (b)", False), ("-1", False), ("a + b", False), ("a, b", False), ("'a' 'b'", False),
        ("lambda: 0", False), ("not a", False), ("await f()", False), ("a if b else c", False), ("a +", False),
    ],
)  # fmt: skip
def test_is_atom(source, expected):
    assert is_atom(source) is expected
