"""`ops.pow`, `**`: the gradient of a power of 0 is NaN where the number is 0, as in a focal loss with a gamma of 0."""

from mindspore import Tensor, grad

EXPECTED = [0.0, 0.0]


def got():
    return grad(lambda x: x**0)(Tensor([0.0, 2.0]))
