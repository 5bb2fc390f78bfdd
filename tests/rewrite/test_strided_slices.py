"""Slices with a step on inner axes are taken in a way that has a gradient on CPU."""

import pytest

from mindport.rewrite.strided_slices import with_gradients_of_steps

NETWORK = """import mindspore
from mindspore import nn


class Net(nn.Cell):
    def construct(self, x):
        {}
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return x[:, 0::2, 1::2, :]", "return torch_every(torch_every(x, 1, 0, 2), 2, 1, 2)"),
        ("return x[..., ::2, 1::2, :]", "return torch_every(torch_every(x, -3, 0, 2), -2, 1, 2)"),
        ("return x[..., ::2, ::3]", "return torch_every(torch_every(x, -2, 0, 2), -1, 0, 3)"),
        ("return f(x)[:, ::4] + 1", "return torch_every(f(x), 1, 0, 4) + 1"),
        ("return x[:, ::2][:, :, ::2]", "return torch_every(torch_every(x, 1, 0, 2), 2, 0, 2)"),
    ],
)
def test_every_second_row_is_taken(before, after):
    once = with_gradients_of_steps(NETWORK.format(before))
    assert f"        {after}\n" in once and "\ndef torch_every(" in once
    assert with_gradients_of_steps(once) == once
    compile(once, "converted", "exec")


@pytest.mark.parametrize(
    "statement",
    [
        "return x[..., ::2]",
        "return x[::2]",
        "return x[::2, :]",
        "return x[:, 1:, :]",
        "return x[:, ::1, :]",
        "return x[:, ::-1, :]",
        "return x[:, ::n, :]",
        "return x[:, a::2, :]",
        "return x[:, 0:4:2, :]",
        "return x[0, ::2, :]",
        "return x[None, :, ::2]",
        "x[:, ::2, :] = 0",
        "x[:, ::2, :][()] = 0",
        "del x[:, ::2, :]",
    ],
)
def test_what_stays(statement):
    text = NETWORK.format(statement)
    assert with_gradients_of_steps(text) == text


def test_only_files_with_networks_are_changed():
    text = "def crop(x):\n    return x[:, ::2, :]\n"
    assert with_gradients_of_steps(text) == text
    broken = NETWORK.format("return x[:, ::2, :")
    assert with_gradients_of_steps(broken) == broken
