"""`ops.avg_pool2d` with `divisor_override` and `count_include_pad=False`: the gradient is wrong."""

import numpy
from mindspore import Tensor, grad, ops

EXPECTED = numpy.full((2, 2), 4.0 / 5.0)  # each element is in four windows, each divided by 5


def got():
    x = Tensor(numpy.ones((1, 1, 2, 2), "float32"))
    pooled = lambda x: ops.avg_pool2d(x, 3, 1, 1, count_include_pad=False, divisor_override=5).sum()
    return grad(pooled)(x)[0, 0]
