"""Conditions answer true, false or unknown."""

from __future__ import annotations

import pytest

from mindport.mapping.condition import (
    ABSENT,
    FALSE,
    LEFT_OUT,
    NOTHING_KNOWN,
    TRUE,
    UNKNOWN,
    ArgumentView,
    evaluate,
    view_of,
    view_of_default,
)
from mindport.mapping.schema import Predicate
from mindport.model.span import Span
from mindport.usage.api_use import Argument, Kind, TorchName

ONE = Span(1, 0, 1, 1)


def literal(value, kind=Kind.UNKNOWN):
    return view_of(Argument(ONE, kind=kind, is_literal=True, value=value))


def of_kind(kind):
    return view_of(Argument(ONE, kind=kind))


A_TENSOR = view_of(Argument(ONE, kind=Kind.TENSOR, holds_tensors=True))


SOMETHING = of_kind(Kind.UNKNOWN)

ANSWERS = [
    (0, literal(0), TRUE),
    (0, literal(1), FALSE),
    (0, literal(None), FALSE),
    (0, literal("0"), FALSE),
    (0, SOMETHING, UNKNOWN),
    (0, of_kind(Kind.INT), UNKNOWN),
    (0, of_kind(Kind.NUMBER), UNKNOWN),
    (0, of_kind(Kind.TENSOR), FALSE),
    (0, of_kind(Kind.STR), FALSE),
    (1, literal(1.0), TRUE),
    (None, literal(None), TRUE),
    (None, literal(0), FALSE),
    (None, ABSENT, TRUE),
    (None, LEFT_OUT, UNKNOWN),
    (None, of_kind(Kind.TENSOR), FALSE),
    (None, view_of_default("None"), TRUE),
    (None, view_of_default("()"), TRUE),
    (False, ABSENT, TRUE),
    (True, ABSENT, FALSE),
    (True, view_of_default("True"), TRUE),
    ("mean", literal("mean"), TRUE),
    ("mean", literal("sum"), FALSE),
    ("mean", view_of_default("'mean'"), TRUE),
    ("torch.float32", literal(TorchName("torch.float32"), Kind.DTYPE), TRUE),
    ("torch.float32", literal(TorchName("torch.int64"), Kind.DTYPE), FALSE),
    ("torch.float32", of_kind(Kind.DTYPE), UNKNOWN),
    (Predicate(equals=[1, 1]), literal((1, 1)), TRUE),
    (Predicate(equals=[1, 1]), literal((1, 2)), FALSE),
    (Predicate(equals=[1, 1]), literal(1), FALSE),
    (Predicate(one_of=[1, [1, 1]]), literal((1, 1)), TRUE),
    (Predicate(one_of=[1, [1, 1]]), literal(2), FALSE),
    (Predicate(one_of=[1, [1, 1]]), of_kind(Kind.SEQUENCE), UNKNOWN),
    (Predicate(not_in=["zeros"]), literal("zeros"), FALSE),
    (Predicate(not_in=["zeros"]), literal("reflect"), TRUE),
    (Predicate(not_in=["zeros"]), SOMETHING, UNKNOWN),
    (Predicate(not_in=[None]), of_kind(Kind.TENSOR), TRUE),
    (Predicate(passed=True), SOMETHING, TRUE),
    (Predicate(passed=True), LEFT_OUT, FALSE),
    (Predicate(passed=False), ABSENT, TRUE),
    (Predicate(passed=False), NOTHING_KNOWN, UNKNOWN),
    (Predicate(kind="tensor"), A_TENSOR, TRUE),
    (Predicate(kind="tensor"), of_kind(Kind.TENSOR), UNKNOWN),  # one way it comes from nobody knows where
    (Predicate(kind="tensor"), literal(1), FALSE),
    (Predicate(kind="tensor"), SOMETHING, UNKNOWN),
    (Predicate(kind=["int", "sequence"]), of_kind(Kind.SEQUENCE), TRUE),
    (Predicate(kind="number"), of_kind(Kind.FLOAT), TRUE),
    (Predicate(kind="int"), of_kind(Kind.NUMBER), UNKNOWN),
    (Predicate(kind="int"), of_kind(Kind.FLOAT), FALSE),
    (Predicate(literal=True), literal(1), TRUE),
    (Predicate(literal=True), of_kind(Kind.INT), FALSE),
    (Predicate(literal=True), view_of_default("1"), TRUE),
    (Predicate(at_least=1), literal(2), TRUE),
    (Predicate(at_least=1), literal(0), FALSE),
    (Predicate(at_least=1), of_kind(Kind.INT), UNKNOWN),
    (Predicate(at_least=0), literal((0, 2)), TRUE),
    (Predicate(at_least=0), literal((0, -2)), FALSE),
    (Predicate(at_least=0), of_kind(Kind.SEQUENCE), UNKNOWN),
    (Predicate(at_most=-1), literal(-1), TRUE),
    (Predicate(at_most=-1), of_kind(Kind.STR), FALSE),
    (Predicate(length=2), literal((1, 2)), TRUE),
    (Predicate(length=2), literal((1,)), FALSE),
    (Predicate(length=2), literal(2), FALSE),
    (Predicate(length=2), of_kind(Kind.SEQUENCE), UNKNOWN),
    (Predicate(passed=True, equals=0), literal(0), TRUE),
    (Predicate(passed=True, equals=0), view_of_default("0"), FALSE),
    (Predicate(kind="int", at_least=1), SOMETHING, UNKNOWN),
    (Predicate(kind="str", at_least=1), literal(3), FALSE),
]


@pytest.mark.parametrize(("condition", "view", "answer"), ANSWERS)
def test_evaluate(condition, view, answer):
    assert evaluate(condition, view) is answer


@pytest.mark.parametrize(
    ("source", "view"),
    [
        ("1e-05", ArgumentView(FALSE, "float", True, 1e-05)),
        ("(1, 1)", ArgumentView(FALSE, "sequence", True, (1, 1))),
        ("[1, 1]", ArgumentView(FALSE, "sequence", True, (1, 1))),
        ("torch.strided", ArgumentView(FALSE, "unknown", True, TorchName("torch.strided"))),
        ("object()", LEFT_OUT),
        ("...", LEFT_OUT),
    ],
)
def test_defaults(source, view):
    assert view_of_default(source) == view
