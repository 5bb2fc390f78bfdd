"""What an index of tensors takes and a name is written with later is a copy in torch, and what numbers take is none."""

import pytest

from mindport.usage.project import Project

PATH = "/project/module.py"
HEAD = "import numpy as np\nimport torch\n\n\n"
COPIES = [
    "    part = x[z]\n    part[0] = 1\n",
    "    part = x[x > 1]\n    part[part == 2] += 3\n",
    "    part, n = x[:, [0, 1]], 3\n    part.clamp_(0, 1)\n",
    "    part = x[np.argsort(n)]  # 中文 😀\n    part[0] = 1\n",
    "    part = x[0, z, 1:]\n    if n:\n        part[n] = 1\n",
]
PLAIN = [
    "    part = x[n]\n    part[0] = 1\n",  # a view in both
    "    part = x[1:, None]\n    part[0] = 1\n",
    "    part = x[z[0]]\n    part[0] = 1\n",  # torch takes one number, and a view
    "    part = x[unknown(n)]\n    part[0] = 1\n",
    "    part = x[z]\n    part = part + 1\n    other[0] = 1\n",
    "    part = x[z]\n    part.mean()\n",
    "    def inner():\n        part = x[z]\n        return part\n    part = x.clone()\n    part[0] = 1\n",
]


def keys(body: str) -> list[object]:
    project = Project("/project")
    text = f"{HEAD}def f(x: torch.Tensor, z: torch.Tensor, n: int, other, unknown):\n{body}"
    project.add(PATH, text)
    uses = [use for use in project.usage(PATH).uses if use.api == "torch.Tensor.__getitem__" and use.call]
    return [use.call.arguments[0].value for use in uses if use.call.arguments]


@pytest.mark.parametrize("body", COPIES)
def test_a_copy_is_taken(body):
    assert keys(body).count("=") == 1


@pytest.mark.parametrize("body", PLAIN)
def test_what_may_be_a_view_or_is_not_written_stays(body):
    assert "=" not in keys(body)
