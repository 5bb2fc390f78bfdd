"""Whole numbers that NumPy computed become Python's where MindSpore takes no others, in layers and in functions."""

from __future__ import annotations

import pytest
from converting import converted

HEAD = "import numpy as np\nimport torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n\n"
FUNCTION = "def f(x: torch.Tensor, sizes: np.ndarray, n: int, m):\n    return {line}\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("torch.chunk(x, sizes[0])", "ops.chunk(x, int(sizes[0]))"),
        ("torch.softmax(x, dim=sizes.max() - 1)", "mint.softmax(x, dim=int(sizes.max() - 1))"),
        ("torch.rand(max(sizes), 3)", "ops.rand(int(max(sizes)), 3)"),
        ("torch.randint(np.prod(x.shape), (2,))", "ops.randint(0, int(np.prod(x.shape)), (2,))"),
        ("F.max_pool2d(x, sizes[1])", "ops.max_pool2d(x, int(sizes[1]))"),
        ("nn.AdaptiveMaxPool2d(sizes[1])", "nn.AdaptiveMaxPool2d(int(sizes[1]))"),
        ("torch.eye(sizes[0])", "ops.eye(int(sizes[0]))"),
        ("x.flip(sizes[0])", "x.flip(int(sizes[0]))"),
        ("torch.repeat_interleave(x, sizes[0], dim=1)", "ops.repeat_interleave(x, int(sizes[0]), axis=1)"),
        ("x.repeat_interleave(sizes[0], dim=1)", "x.repeat_interleave(int(sizes[0]), dim=1)"),
        ("F.adaptive_avg_pool1d(x, sizes[0])", "torch_adaptive_avg_pool1d(x, sizes[0])"),
        ("x.clamp(min=sizes[0])", "x.clamp(min=sizes[0])"),
        ("torch.arange(sizes[0])", "torch_arange(sizes[0])"),
        ("torch.arange(2, np.max(m))", "torch_arange(2, np.max(m))"),
        ("torch.arange(sizes.shape[0])", "ops.arange(sizes.shape[0])"),
        ("torch.arange(m)", "ops.arange(m)"),
        ("torch.chunk(x, n)", "ops.chunk(x, n)"),
        ("torch.chunk(x, m)", "ops.chunk(x, m)"),
        ("torch.rand(n, m)", "ops.rand(n, m)"),
    ],
)
def test_a_number_becomes_one_that_mindspore_takes(line: str, expected: str) -> None:
    text = converted(HEAD + FUNCTION.format(line=line), unsafe=True)
    assert text.rstrip().rpartition("\n")[2] == f"    return {expected}"
