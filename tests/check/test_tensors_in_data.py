"""`torch.tensor` of lists, which takes tensors of one element in them as numbers."""

import pytest
from converting import converted

HEADER = """import random

import numpy as np
import torch


def batch(x: torch.Tensor, steps, n):
"""
NUMBERS = {
    "numbers that are written": "data = [[1, 2.5], [n - 1.0, True]]",
    "numbers that are added": "data = []\nfor s in steps:\n    data.append(0.0 if s else 1.0)",
    "numbers in lists": "data = []\nfor i in range(3):\n    data.append([float(n), i])",
    "numbers of tensors": "data = [x.sum().item() for _ in steps]",
    "arrays": "data = [np.zeros(3) for _ in steps]\ndata.extend([np.ones(3)])",
    "a number": "data = len(steps)",
    "a shape": "data = x.shape",
    "an empty list": "return torch.tensor([])\ndata = 0",
}
TENSORS = {
    "tensors": "data = [x[0], x[1]]",
    "tensors in lists": "data = []\nfor row in x:\n    data.append([row])",
    "numbers and tensors": "data = [[1.0, x[0]], (2.0, x[1])]",
    "what is not known": "data = [[s] for s in steps]",
    "what is drawn from a list": "data = []\nfor s, a in random.sample(steps, 4):\n    data.append([a])",
    "one of a list": "data = [random.choice(steps), 1]",
}

# What is a tensor where it comes from one place, and unknown where it comes from another.
ONE_WAY_A_TENSOR = {
    "an argument": "data = n\nif len(steps):\n    data = x.exp()",
    "a setting": "data = steps.alpha\nif steps.learned:\n    data = x.exp().mean()",
    "a mean over a loop": "data = n\nfor _ in range(n):\n    data = x.mean()",
}
A_TENSOR_EVERY_WAY = {
    "an argument": "data = n\ndata = x.exp()",
    "either branch": "data = x if n else x.exp()",
    "not yet": "data = None\nif n:\n    data = x.exp()",
}


def _function(code: str, result: str) -> str:
    body = "\n".join(f"    {line}" for line in [*code.split("\n"), f"return {result}"])
    return f"{HEADER}{body}\n"


@pytest.mark.parametrize("code", NUMBERS.values(), ids=list(NUMBERS))
def test_numbers_keep_the_short_form(code):
    once = converted(_function(code.replace("n - 1.0", "-1.0"), "torch.tensor(data, dtype=torch.float)"))
    assert "return mindspore.tensor(data, dtype=mindspore.float32)\n" in once, once


@pytest.mark.parametrize("code", TENSORS.values(), ids=list(TENSORS))
def test_tensors_are_looked_for(code):
    once = converted(_function(code, "torch.tensor(data, dtype=torch.float)"))
    assert "return torch_tensor(data, dtype=mindspore.float32)\n" in once, once
    assert converted(once) == once


@pytest.mark.parametrize("code", ONE_WAY_A_TENSOR.values(), ids=list(ONE_WAY_A_TENSOR))
def test_what_may_be_a_number_is_not_taken_for_a_tensor(code):
    once = converted(_function(code, "torch.tensor(data)"))
    assert "return torch_tensor(data)\n" in once, once


@pytest.mark.parametrize("code", A_TENSOR_EVERY_WAY.values(), ids=list(A_TENSOR_EVERY_WAY))
def test_what_is_a_tensor_is_copied(code):
    once = converted(_function(code, "torch.tensor(data)"))
    assert "return ops.stop_gradient(data).copy()\n" in once, once


def test_each_call_by_its_own_data():
    code = "a, b = [], []\nfor row in x:\n    a.append([row.max()])\n    b.append([row.max().item()])"
    once = converted(_function(code, "torch.tensor(b), torch.tensor(a), torch.tensor(b)"))
    assert "return mindspore.tensor(b), torch_tensor(a), mindspore.tensor(b)\n" in once, once
