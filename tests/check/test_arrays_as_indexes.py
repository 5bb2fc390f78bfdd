"""Tensors that code indexes by what NumPy gives."""

import pytest
from converting import converted

HEADER = """import numpy as np
import torch

x = torch.rand(5, 3)
order = np.random.permutation(5)
"""
WRITTEN = {
    "an array": ("y = x[order]", "y = x[mindspore.tensor(order)]"),
    "a part of one": ("y = x[order[2:4]].sum()", "y = x[mindspore.tensor(order[2:4])].sum()"),
    "a number": ("y = x[order[0]]", "y = x[mindspore.tensor(order[0])]"),
    "what a function of NumPy gives": (
        "y = x[np.where(order > 2)[0]]",
        "y = x[mindspore.tensor(np.where(order > 2)[0])]",
    ),
    "in a loop": ("for i in order:\n    y = x[i]", "    y = x[mindspore.tensor(i)]"),
    "one of several parts": ("y = x[0, order[1]]", "y = TorchNumbers(x)[0, mindspore.tensor(order[1])]"),
    "a whole array behind a number": (
        "z = np.array([0, 2])\ny = x[0, z]",
        "y = x[0, mindspore.tensor(z)]",
    ),
    "several parts": (
        "y = x[..., None, order[1]][order[0], 0]",
        "y = TorchNumbers(x[..., None, mindspore.tensor(order[1])])[mindspore.tensor(order[0]), 0]",
    ),
    "a place that is written": ("x[order[0], 1] = 2", "x[mindspore.tensor(order[0]), 1] = 2"),
    "a place that is added to": ("x[order] += 2  # 😀 加", "x[mindspore.tensor(order)] += 2  # 😀 加"),
    "an array or a tensor": (
        "if len(x) > 3:\n    z = order\nelse:\n    z = torch.randperm(5)\ny = x[z]",
        "y = x[mindspore.tensor(z)]",
    ),
    "one in another": ("y = x[order][order]", "y = x[mindspore.tensor(order)][mindspore.tensor(order)]"),
}
KEPT = {
    "a tensor on either path": "z = x.argmax(0) if len(x) else x.argmin(0)\ny = x[z]",
    "a tensor": "y = x[x.argmax(0)]",
    "a tensor in a tuple": "y = x[0, x.argmax(1)]",
    "an element of an array that is written": "order[order[0]] = 1",
    "a number of Python": "i = 3\ny = x[i]",
    "a slice": "y = x[1:3]",
    "a list": "y = x[[0, 1]]",
    "a whole number already": "y = x[int(order[0])]",
    "an array of an array": "y = order[order]",
    "an unknown index": "def f(i):\n    return x[i]",
    "an unknown value": "def f(v):\n    return v[order]",
}


@pytest.mark.parametrize(("code", "expected"), WRITTEN.values(), ids=list(WRITTEN))
def test_the_index_becomes_a_tensor(code, expected):
    once = converted(f"{HEADER}{code}\n")
    assert f"{expected}\n" in once, once
    assert converted(once) == once


@pytest.mark.parametrize("code", KEPT.values(), ids=list(KEPT))
def test_what_stays(code):
    assert converted(f"{HEADER}{code}\n").endswith(f"{code}\n")
