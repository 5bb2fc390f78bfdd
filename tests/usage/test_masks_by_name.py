"""What is called a mask, and may be one of bytes, is told from other indices, in projects that make such masks."""

import pytest

from mindport.usage.project import Project

PATH = "/project/module.py"
MADE = "import torch\n\n\ndef make(x):\n    return torch.zeros(x).byte()\n\n\n"
HEAD = "def f(x: torch.Tensor, mask, n: int):\n"
PERHAPS = [
    "    return x[mask]\n",
    "    mask_img = mask.unsqueeze(1).repeat(1, n, 1)\n    return x[mask_img] + 1  # 中文 😀\n",
    "    x[mask] = 3\n",
    "    return x[:, mask]\n",
]
OTHERS = [
    "    return x[n]\n",
    "    mask = x > 3\n    return x[mask]\n",
    "    mask = mask.bool()\n    return x[mask]\n",
    "    masked = [1, 2]\n    return x[masked]\n",
    "    return x[mask.nonzero()]\n",
]


def count(text: str) -> int:
    project = Project("/project")
    project.add(PATH, text)
    uses = project.usage(PATH).uses
    return sum(one.call.arguments[0].value == "uint8?" for one in uses if one.call and one.call.arguments)


@pytest.mark.parametrize("body", PERHAPS)
def test_a_mask_that_may_be_of_bytes(body: str) -> None:
    assert count(MADE + HEAD + body) == 1
    assert count(MADE.replace(".byte()", "") + HEAD + body) == 0


@pytest.mark.parametrize("body", OTHERS)
def test_other_indices_stay(body: str) -> None:
    assert count(MADE + HEAD + body) == 0
