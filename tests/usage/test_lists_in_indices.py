"""Lists as indices that may have nothing in them are told from those that have something, and from other indices."""

import pytest

from mindport.usage.project import Project

PATH = "/project/module.py"
HEAD = "import numpy as np\nimport torch\n\n\ndef f(x: torch.Tensor, n: int, given):\n"
ALONE = [
    "    keep = []\n    for i in range(n):\n        keep.append(i)  # 中文 😀\n    return x[keep]\n",
    "    keep = list()\n    keep += [n]\n    return x[keep] + 1\n",
    "    keep = [i for i in range(n) if i % 2]\n    return x[keep]\n",
    "    return x[[i for i in range(n) if i % 2]]\n",
    "    return x[[]]\n",
    "    keep = sorted([i for i in range(n) if i])\n    return x[keep].sum()\n",
    "    kept = [not i % 2 for i in range(4)]\n    return x[kept]\n",
]
AMONG_OTHERS = [
    "    keep = []\n    keep.extend(range(n))\n    return x[:, keep]\n",
    "    keep = [i for i in range(n) if i % 2]\n    return x[..., keep, 0]\n",
    "    kept = [kind == 'linear' for kind in given]\n    return x[..., kept, 0]\n",
]
OTHERS = [
    "    return x[[0, 1]]\n",
    "    return x[:, [n]]\n",
    "    keep = [0, n]\n    return x[keep]\n",
    "    keep = [i for i in range(n)]\n    return x[keep]\n",
    "    keep = [i - 1 for i in range(n)]\n    return x[keep]\n",
    "    keep = []\n    keep = torch.tensor(keep)\n    return x[keep]\n",
    "    keep = []\n    x[keep] = 1\n",  # nothing is written by an empty one
    "    keep = []\n    return given[keep], keep[0]\n",
    "    keep = []\n    return x[len(keep)]\n",
    "    def g():\n        keep = []\n        return keep\n    keep = [n]\n    return x[keep]\n",
]


def keys(body: str) -> list[object]:
    project = Project("/project")
    project.add(PATH, HEAD + body)
    uses = project.usage(PATH).uses
    values = [one.call.arguments[0].value for one in uses if one.call and one.call.arguments]
    return [one for one in values if one in ("[]", ",[]")]


@pytest.mark.parametrize("body", ALONE)
def test_a_list_that_may_be_empty(body: str) -> None:
    assert keys(body) == ["[]"]


@pytest.mark.parametrize("body", AMONG_OTHERS)
def test_one_among_other_indices(body: str) -> None:
    assert keys(body) == [",[]"]


@pytest.mark.parametrize("body", OTHERS)
def test_other_indices_stay(body: str) -> None:
    assert keys(body) == []
