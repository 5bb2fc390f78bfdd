"""Which parts of tensors are written with values that may have a leading axis of one."""

from __future__ import annotations

import textwrap

import pytest

from mindport.usage.leading_axes import LEADING
from usage.called_members import places_of

HEAD = "import torch\nfrom torch import nn\nnet = nn.Linear(4, 3)\nout = torch.zeros(2, 3)\nx = torch.ones(2, 4)\n"


def written(text: str) -> list[str]:
    return places_of("__getitem__", text, LEADING)


LEADING_ONES = [
    "out[0] = net(x[0].unsqueeze(0))",
    "out[0] = net(x[0][None])  # 行 🙂",
    "out[0] = net(x[None, 0]).detach() * 2",
    "for i in range(2):\n    out[i] = net(x[i:i + 1])",
    "row = x[0].view(1, -1)\nout[-1] = net(row)",
    "row = x[0].reshape((1, 4))\nrow = row + 1\nout[0] = net(torch.exp(row))",
    "last = 0\nnext = net(x[0]).reshape(1, -1)\nfor i in range(2):\n    out[i] = last = next + last",
    "a, b = net(x[:1].unsqueeze(0)), 1\nout[0] = -a if b else a",
    "out[0] = torch.ones(1, 3)",
    "start = torch.tensor([[1.0, 2, 3, 4]])\na, b = net(start), 1\nout[0] = a.data",
    "place = 1\nlast = [0]\nlast[0], out[place] = 1, net(x[None, 0])  # 行 🙂",
]
OTHERS = [
    "start = torch.tensor([[1.0, 2], [3, 4]])\nout[0] = start",
    "out[0] = net(x[0])",
    "out[0] = net(x[0].unsqueeze(1))",
    "out[0] = net(x[0].unsqueeze(0))[0]",
    "out[0] = net(x[0].unsqueeze(0)).squeeze(0)",
    "out[0] = net(x[0].unsqueeze(0)).view(-1)",
    "out[:1] = net(x[0].unsqueeze(0))",  # a slice takes the axis
    "out[0, 0] = net(x[0].unsqueeze(0)).sum().item()",
    "row = x[0].view(1, -1)\nout[0] = x[0]",
    "out[0] = torch.ones(3)",
    "out.movedim(1, 0)[0] = net(x[None, 0])",  # which is written through
    "rows = {}\nrows[0] = x[0].unsqueeze(0)",
    "rows = [0]\nrows[0] = x[0].unsqueeze(0)",
]


@pytest.mark.parametrize("body", LEADING_ONES)
@pytest.mark.parametrize("is_function", [False, True])
def test_a_value_may_have_more_axes_than_the_part(body: str, is_function: bool) -> None:
    text = "def run():\n" + textwrap.indent(body, "    ") + "\n" if is_function else body + "\n"
    assert written(HEAD + text) == ["out"]


@pytest.mark.parametrize("body", OTHERS)
def test_others_are_written_as_they_are(body: str) -> None:
    assert written(HEAD + body + "\n") == []
    assert written(HEAD + "def run():\n" + textwrap.indent(body, "    ") + "\n") == []


def test_another_function_has_names_of_its_own() -> None:
    text = "def f(row):\n    row = row[None]\n    return row\ndef g(row):\n    out[0] = row\n"
    assert written(HEAD + text) == []


@pytest.mark.parametrize("annotation", ["torch.Tensor", "Tensor"])
def test_of_a_tensor_that_a_function_is_given_nothing_is_known(annotation: str) -> None:
    head = f"def keep(out: {annotation}, value: {annotation}, number: int, other):\n"
    body = "    out[number], count = value, 1\n    out[number] = other\n    out[0] = net(value)\n"
    assert written(f"{HEAD}from torch import Tensor\n\n\n{head}{body}") == ["out"]
