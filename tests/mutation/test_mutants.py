"""Mutants of the catalogue: each is one change, and all that a run could not see is left alone."""

import ast

import msgspec
import pytest

from mindport.mapping.schema import Case, Predicate
from mutation.case_mutants import case_mutants, negation, sibling
from mutation.code_mutants import code_mutants
from mutation.population import Mutant, part_of

HELPER = '''
def torch_f(input, dim: int = 3, weight=None):
    """Doc 5."""
    if dim < 0:
        raise ValueError("dim 7 is negative")
    if weight is None:
        input = input * 2
    return ops.sum(input, axis=dim) - 1
'''


def mutants(source):
    return [(one.kind, one.text()) for one in code_mutants(source)]


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("constant", "def torch_f(input, dim: int=4, weight=None):"),
        ("default", "def torch_f(input, dim: int=3, weight=1):"),
        ("comparison", "if weight is not None:"),
        ("condition negated", "if not weight is None:"),
        ("constant", "input = input * 3"),
        ("operator", "input = input / 2"),
        ("keyword dropped", "return ops.sum(input) - 1"),
        ("operator", "return ops.sum(input, axis=dim) + 1"),
        ("constant", "return ops.sum(input, axis=dim) - 2"),
        ("statement dropped", "pass"),
    ],
)
def test_code_is_changed_in_one_place(kind, line):
    found = [
        text for one, text in mutants(HELPER) if one == kind and line in map(str.strip, text.split("\n"))
    ]
    assert found


def test_refusals_texts_and_types_stay():
    for _, text in mutants(HELPER):
        assert "raise ValueError('dim 7 is negative')" in text and "Doc 5." in text and "dim: int" in text
        assert "if dim < 0:" in text


def test_mutants_differ_from_the_code_and_from_each_other():
    texts = [text for _, text in mutants(HELPER)]
    assert len(set(texts)) == len(texts) and ast.unparse(ast.parse(HELPER)) not in texts


@pytest.mark.parametrize("source", ["f(x)", "x", "-x", "f'{x} 3'", "'3'"])
def test_where_there_is_nothing_to_change_nothing_is(source):
    assert not mutants(source)


CASE = msgspec.convert(
    {
        "verdict": "differs",
        "when": {"dim": {"passed": False}, "$empty": True},
        "call": "mindspore.ops.amax",
        "args": {"dim": "axis", "eps": {"to": "epsilon", "default": "0.01"}, "p": {"convert": "one_minus"}},
        "add": {"ddof": "1"},
        "fix": "safe",
    },
    Case,
)
TARGETS = ["mindspore.ops.amax", "mindspore.ops.amin", "mindspore.mint.amax", "mindspore.ops.relu"]


def test_cases_are_changed_in_one_place():
    found = {(one.kind, one.change): one.case for one in case_mutants(CASE, TARGETS)}
    assert found["target", "mindspore.ops.amax -> mindspore.ops.amin"].call == "mindspore.ops.amin"
    assert found["keyword dropped", "add.ddof"].add == {}
    assert "dim" not in found["keyword dropped", "args.dim"].args
    assert found["default", "args.eps.default: 0.01 dropped"].args["eps"].default is None
    assert found["default", "args.eps.default: line 1: 0.01 -> 0.265"].args["eps"].default == "0.265"
    assert found["conversion dropped", "args.p.convert: one_minus"].args["p"].convert is None
    assert found["case: condition dropped", "when.dim"].when == {"$empty": True}
    assert found["case: condition negated", "when.dim"].when["dim"] == Predicate(passed=True)


def test_what_asks_of_the_whole_project_stays():
    assert not [one for one in case_mutants(CASE, TARGETS) if "$empty" in one.change]


def test_the_holes_of_a_template_stay_holes():
    case = Case(verdict="composed", rewrite="ops.sum($input, $dim) * 2 + f($*size)")
    texts = {one.case.rewrite for one in case_mutants(case, ())}
    assert (
        "ops.sum($input, $dim) * 3 + f($*size)" in texts and "ops.sum($input, $dim) * 2 - f($*size)" in texts
    )


@pytest.mark.parametrize(
    ("condition", "opposite"),
    [
        (None, Predicate(not_in=[None])),
        (0, Predicate(not_in=[0])),
        (Predicate(equals=2), Predicate(not_in=[2])),
        (Predicate(one_of=[1, 2]), Predicate(not_in=[1, 2])),
        (Predicate(not_in=[1]), Predicate(one_of=[1])),
        (Predicate(literal=True), Predicate(literal=False)),
        (Predicate(kind="tensor"), None),
        (Predicate(equals=False, literal=True), None),
    ],
)
def test_conditions_have_an_opposite_or_none(condition, opposite):
    assert negation(condition) == opposite


def test_a_sibling_is_of_the_same_module():
    assert sibling("mindspore.ops.amax", TARGETS) == "mindspore.ops.amin"
    assert sibling("mindspore.mint.amax", TARGETS) == ""


def test_consecutive_seeds_give_every_mutant_once():
    everything = [Mutant(kind, "f[0]", str(n), ()) for kind in ("a", "b", "c") for n in range(7)]
    _, parts = part_of(everything, 4, 0)
    chosen = [one for seed in range(5, 5 + parts) for one in part_of(everything, 4, seed)[0]]
    assert sorted(chosen) == sorted(everything)
    assert all(3 <= len(part_of(everything, 4, seed)[0]) <= 5 for seed in range(parts))
