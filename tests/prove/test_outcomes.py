"""What samples become as evidence: which contradict, which are worth a note, and what half precision and times add."""

from __future__ import annotations

import pytest

from mindport.mapping.index import load_index
from mindport.mapping.load import read_mapping
from mindport.model.target import Device
from mindport.prove.outcomes import ExampleOutcome, evidence_rows, problems_of, remarks_of
from mindport.prove.proof import is_much_used
from mindport.prove.samples import requests_of

MAPPING = """\
torch: {function: torch.relu}
summary: one
cases:
  - {verdict: renamed, call: mindspore.ops.relu, fix: safe}
examples:
  - {before: "y = torch.relu(x)", after: "y = ops.relu(x)", inputs: {x: "rand(2, 3)"}}
  - {before: "y = torch.relu(x)", after: "y = ops.relu(x)", inputs: {x: "randint(0, 3, (2,))"}}
"""
VERSIONS = {"torch": "2.13.0", "mindspore": "2.10.0"}
AGREE = {"status": "agree", "message": "", "max_abs": 1e-7}
DIFFER = {"status": "differ", "message": "y: 1 became 2"}


@pytest.fixture(scope="module")
def mapping():
    found = read_mapping(MAPPING, "relu.yaml")
    assert not isinstance(found, tuple), found
    return found


def outcome(*samples):
    return ExampleOutcome(0, 0, samples)


def row(mapping, *samples):
    [found] = evidence_rows(mapping, [outcome(*samples)], VERSIONS, Device.CPU)
    return found


CONTRADICTIONS = [
    (("own", DIFFER), True),
    (("double", DIFFER), True),
    (("integer", DIFFER), False),
    (("float16", DIFFER), False),
    (("signed", {"status": "failed", "message": "no"}), True),
    (("bfloat16", {"status": "failed", "message": "no"}), False),
    (("own", {"status": "crashed", "message": "gone"}), True),
    (("float16", {"status": "crashed", "message": "gone"}), False),
    (("bfloat16", {"status": "illegal", "message": "torch cannot"}), False),
]


@pytest.mark.parametrize(("sample", "contradicts"), CONTRADICTIONS)
def test_what_contradicts_a_claim(mapping, sample, contradicts):
    assert bool(problems_of(outcome(("own", AGREE), sample))) is contradicts
    assert row(mapping, ("own", AGREE), sample).agrees is not contradicts


NOTES = [
    (("float16", DIFFER), "float16 input differs: y: 1 became 2"),
    (("bfloat16", {"status": "failed", "message": "no kernel"}), "raises for bfloat16 input"),
    (("bfloat16", {"status": "crashed", "message": "gone"}), "crashes for bfloat16 input"),
    (("float16", AGREE), ""),
    (("float16", {"status": "illegal", "message": "torch cannot"}), ""),
]


@pytest.mark.parametrize(("sample", "note"), NOTES)
def test_half_precision_is_worth_a_note(mapping, sample, note):
    assert remarks_of(outcome(("own", AGREE), sample)) == ([note] if note else [])
    assert row(mapping, ("own", AGREE), sample).note == note


def test_half_precision_counts_as_samples_and_not_as_deviation(mapping):
    found = row(mapping, ("own", AGREE), ("float16", AGREE | {"max_abs": 1e-3}))
    assert (found.samples, found.max_abs) == (2, 1e-7)


def test_the_middle_ratio_of_the_timed_examples_counts(mapping):
    timed = [
        ExampleOutcome(0, 0, (("own", AGREE | {"timing": {"ratio": ratio, "elements": 9}}),))
        for ratio in (1.0, 2.04, 9.0)
    ]
    [found] = evidence_rows(mapping, timed, VERSIONS, Device.CPU)
    assert (found.time_ratio, found.time_elements) == (2.0, 9)
    assert row(mapping, ("own", AGREE)).time_ratio is None


def variants(example, **wanted):
    return [request["variant"] for request in requests_of(example, **wanted)]


def test_only_inputs_that_can_be_narrowed_are_run_in_half_precision(mapping):
    floats, integers = mapping.examples
    assert variants(floats, is_narrowed=True, is_timed=False)[-2:] == ["float16", "bfloat16"]
    assert "float16" not in variants(floats, is_narrowed=False, is_timed=False)
    assert variants(integers, is_narrowed=True, is_timed=False) == ["own"] * 3


def test_only_the_first_sample_is_timed_and_only_on_request(mapping):
    [floats, _] = mapping.examples
    timed = [request["timed"] for request in requests_of(floats, is_narrowed=False, is_timed=True)]
    assert timed == [True] + [False] * 6
    assert not any(request["timed"] for request in requests_of(floats, is_narrowed=False, is_timed=False))


def test_what_models_use_is_much_used():
    index = load_index()
    assert is_much_used(index.find("torch.nn.Linear")) and is_much_used(index.find("torch.Tensor.view"))
    assert not is_much_used(index.find("torch.special.bessel_j0"))
