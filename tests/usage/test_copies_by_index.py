"""What an index of tensors takes and a name is written with later is a copy in torch, and what numbers take is none."""

import pytest

from mindport.usage.project import Project
from mindport.usage.project_signs import project_signs

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


WRITER = "import torch\n\n\ndef clean(values, mask):\n    values[mask] = 0\n    return values\n"
HANDED_ON = [
    "    return x[z]\n",
    "    return n, x[x > 1]  # 中文 😀\n",
    "    other.net(x[z])\n",
    "    g(x[:, [0, 1]], n)\n",
    "    g(n, values=x[z])\n",
    "    part = x[z]\n    return part\n",
    "    part = x[z]\n    other.forward(n, part)\n",
]
KEPT = [
    "    return x[n], x[1:], x[z[0]]\n",  # views in both
    "    return x[z] + 1\n",
    "    torch.relu(x[z])\n",
    "    print(len(x[z]))\n",
    "    part = x[z]\n    return part.sum()\n",
    "    def inner():\n        part = x[z]\n        return 1\n    part = n\n    return part\n",
]


def keys_beside(other: str, body: str) -> list[object]:
    project = Project("/project")
    head = f"{HEAD}def g(n, values):\n    return n\n\n\n"
    project.add(PATH, f"{head}def f(x: torch.Tensor, z: torch.Tensor, n: int, other):\n{body}")
    project.add("/project/writer.py", other)
    uses = [use for use in project.usage(PATH).uses if use.api == "torch.Tensor.__getitem__" and use.call]
    return [use.call.arguments[0].value for use in uses if use.call.arguments]


@pytest.mark.parametrize("body", HANDED_ON)
def test_a_copy_is_taken_of_what_others_may_write_to(body):
    assert keys_beside(WRITER, body).count("=") == 1
    assert "=" not in keys_beside("import torch\n", body)


@pytest.mark.parametrize("body", KEPT)
def test_what_is_handed_on_and_is_no_copy_stays(body):
    assert "=" not in keys_beside(WRITER, body)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("def f(x, mask):\n    x[mask] = 0\n", True),
        (
            "class Net(nn.Module):\n    def forward(self, x):\n        x[~x.isnan()] *= 2\n        return x\n",
            True,
        ),
        ("def f(n, *, x):\n    if n:\n        x.clamp_(0)\n", True),
        ("def f(x: torch.Tensor,\n      n: int) -> None:\n    x[:, n] = 1\n    x = x + 1\n", True),
        ("def f(x):\n    x = x.clone()\n    x[0] = 1\n", False),
        ("def f(x):\n    x['key'] = 1\n    x.kept[0] = 1\n    x.requires_grad_()\n", False),
        ("def f(x):\n    y[0] = 1\n    if x[0] == 1:\n        return x\n", False),
        ("def f(x):\n    x[0] = \n", False),
    ],
)
def test_functions_that_write_to_what_they_are_given(function, expected):
    assert ("writing" in project_signs(f"import torch\n\n{function}")) is expected
    assert "writing" not in project_signs(f"import numpy\n\n{function}")


WRITTEN_IN_STEPS = [
    "    part = x[:, ::2]\n    part[:, 1].add_(1)\n",
    "    x[:, ::2].add_(1)\n",
    "    x[..., ::n, ::n].copy_(z)\n",
    "    x[:, ::2][0].mul_(2).add_(z)\n",
    "    torch_in_place(torch.Tensor.add, torch_in_place(torch.Tensor.mul, x[:, ::2], 2), z)\n",
    "    part = x[:, 1::n]  # 中文 😀\n    part[0] = 1\n",
    "    part = x[:, ::2, 1]\n    part.mul_(2)\n",
    "    part = x[:, ::2]\n    torch_in_place(torch.Tensor.add, part[:, 1], z)\n",
    "    part = x[:, ::2]\n    torch_in_place(torch.Tensor.mul, part, z)\n",
]
READ_IN_STEPS = [
    "    part = x[:, ::2]\n    return part[:, 1].add(1)\n",
    "    part = x[:, ::2] * 2\n    other[0] = part\n",
    "    part = x[:, ::2]\n    torch_in_place(torch.Tensor.add, z, part)\n",
]


@pytest.mark.parametrize("body", WRITTEN_IN_STEPS)
def test_what_is_written_through_steps_stays_a_view(body):
    assert "::" not in keys(body)


@pytest.mark.parametrize("body", READ_IN_STEPS)
def test_what_is_only_read_in_steps_is_taken_by_numbers(body):
    assert keys(body).count("::") == 1
