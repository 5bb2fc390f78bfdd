"""`ops.fftshift` without `dim`: the gradient is right only for the first shape that a process uses."""

import numpy
from mindspore import Tensor, grad, ops

WEIGHT = numpy.arange(6, dtype="float32")
EXPECTED = numpy.fft.ifftshift(WEIGHT)


def got():
    grad(lambda x: ops.fftshift(x).sum())(Tensor(numpy.ones(4, "float32")))
    return grad(lambda x: (ops.fftshift(x) * Tensor(WEIGHT)).sum())(Tensor(numpy.ones(6, "float32")))
