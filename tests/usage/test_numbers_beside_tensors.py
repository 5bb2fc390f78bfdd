"""A number and a tensor in an index with a range between them are told from indices that mean the same in both
frameworks."""

import pytest

from mindport.usage.project import Project

PATH = "/project/module.py"
HEAD = "import torch\n\n\ndef f(x: torch.Tensor, rows: torch.Tensor, n: int, given):\n"
APART = [
    "    return x[0, :, rows]\n",
    "    return x[n, :, rows, rows + 1]\n",
    "    for b in range(n):\n        x[b, :, rows] = 1  # 中文 😀\n",
    "    return x[:, rows, :, -1]\n",
    "    return x[n, ..., rows]\n",
    "    return x[n, None, rows]\n",
    "    return x[n, 1:3, [0, 2]]\n",
    "    return x[rows, rows, :, n]\n",
]
OTHERS = [
    "    return x[0, rows]\n",
    "    return x[:, n, rows]\n",
    "    return x[rows, n, :]\n",
    "    return x[0, :, n]\n",
    "    return x[:, rows, :, 1:]\n",
    "    return x[rows, :, rows]\n",
    "    return x[rows, :, n, rows]\n",  # the axis of the positions comes first in both
    "    return x[given, :, rows]\n",  # nothing tells what it is
    "    return [x, rows][0], x[given]\n",
]


def keys(body: str) -> list[object]:
    project = Project("/project")
    project.add(PATH, HEAD + body)
    uses = project.usage(PATH).uses
    values = [one.call.arguments[0].value for one in uses if one.call and one.call.arguments]
    return [one for one in values if one == "0,:"]


@pytest.mark.parametrize("body", APART)
def test_a_number_that_is_taken_first(body: str) -> None:
    assert keys(body) == ["0,:"]


@pytest.mark.parametrize("body", OTHERS)
def test_other_indices_stay(body: str) -> None:
    assert keys(body) == []
