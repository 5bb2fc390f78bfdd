"""Samples that nobody chose find the edges at which what is written differs, and none where it does not."""

import pytest

from mindport.mapping.index import load_index
from mindport.prove.proof import target_of
from oracles.attack import attack

pytestmark = pytest.mark.oracle


def attacked(file, *names):
    mapping = next(one for path, one in load_index().mappings() if path == file)
    found = []
    ran = attack({file: mapping}, target_of("2.10.0", "CPU"), names, 1, 60, found.append)
    return ran, found


@pytest.mark.parametrize("file", ["torch/nn/ELU.yaml", "torch/selu.yaml", "torch/nn/functional/elu.yaml"])
def test_slopes_at_zero_are_torchs(file):
    ran, found = attacked(file, "ties")
    assert ran and not found


@pytest.mark.parametrize(
    ("file", "name", "what"),
    [
        ("torch/nn/LeakyReLU.yaml", "ties", "gradient of x"),  # the card says so of both
        ("torch/nn/ReLU.yaml", "nan", "nan became 0"),
    ],
)
def test_edges_that_differ_are_found(file, name, what):
    ran, found = attacked(file, name)
    assert ran >= len(found) > 0 and all(one.attack == name for one in found)
    assert any(what in one.outcome for one in found)


def test_attacks_that_are_not_asked_for_are_not_run():
    assert attacked("torch/selu.yaml", "no such attack") == (0, [])
