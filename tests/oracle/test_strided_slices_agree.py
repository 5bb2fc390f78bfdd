"""Slices with a step on inner axes have torch's values and gradients as `with_gradients_of_steps` writes them."""

from __future__ import annotations

import numpy
import pytest

from mindport.rewrite.strided_slices import with_gradients_of_steps

pytestmark = pytest.mark.oracle

NETWORK = """import mindspore
from mindspore import nn


class Net(nn.Cell):
    def construct(self, x):
        return {}
"""


@pytest.mark.parametrize("slices", ["x[:, 0::2, 1::2, :]", "x[..., ::2, 1::3]", "x[:, 1::2]"])
def test_values_and_gradients(slices):
    import mindspore
    import torch

    values = numpy.random.default_rng(1).random((2, 5, 6, 3), numpy.float32)
    x = torch.tensor(values, requires_grad=True)
    expected = eval(slices, {"x": x})
    weights = numpy.random.default_rng(2).random(expected.shape, numpy.float32)
    (expected * torch.tensor(weights)).sum().backward()

    names: dict[str, type] = {}
    exec(with_gradients_of_steps(NETWORK.format(slices)), names)
    net, given = names["Net"](), mindspore.Tensor(values)
    assert numpy.array_equal(net(given).asnumpy(), expected.detach().numpy())
    gradient = mindspore.grad(lambda x: (net(x) * mindspore.Tensor(weights)).sum())(given)
    assert numpy.allclose(gradient.asnumpy(), x.grad.numpy())
