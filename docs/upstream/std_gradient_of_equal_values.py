"""`ops.std`: the gradient is NaN where all values are equal."""

from mindspore import Tensor, grad, ops

EXPECTED = [0.0, 0.0, 0.0]


def got():
    return grad(lambda x: ops.std(x, ddof=1))(Tensor([1.0, 1.0, 1.0]))
