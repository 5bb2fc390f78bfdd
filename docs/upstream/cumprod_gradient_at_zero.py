"""`ops.cumprod`: the gradient is NaN from the first element on that is 0."""

from mindspore import Tensor, grad, ops

EXPECTED = [1.0, 8.0, 0.0]  # of a + a b + a b c for a = 2, b = 0, c = 3


def got():
    return grad(lambda x: ops.cumprod(x, 0).sum())(Tensor([2.0, 0.0, 3.0]))
