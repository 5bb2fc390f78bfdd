"""`Tensor.add_`: gives the new values and leaves the tensor as it was."""

from mindspore import Tensor

EXPECTED = [2.0, 3.0]


def got():
    x = Tensor([1.0, 2.0])
    x.add_(Tensor([1.0, 1.0]))
    return x
