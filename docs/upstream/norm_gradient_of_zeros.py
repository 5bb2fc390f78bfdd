"""`ops.norm`: the gradient of a vector of zeros is NaN, where 0 is a subgradient."""

from mindspore import Tensor, grad, ops

EXPECTED = [0.0, 0.0, 0.0]


def got():
    return grad(ops.norm)(Tensor([0.0, 0.0, 0.0]))
