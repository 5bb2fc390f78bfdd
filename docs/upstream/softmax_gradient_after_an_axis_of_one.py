"""`ops.softmax`: where the first gradient of a process is taken along an axis of length one, all later ones along that
axis, of tensors with as many dimensions, are wrong."""

import numpy
from mindspore import Tensor, grad, ops

X, WEIGHT = numpy.array([[0.5, 2.0, -1.0]], "float32"), numpy.array([[1.0, 2.0, 3.0]], "float32")
Y = numpy.exp(X) / numpy.exp(X).sum()
EXPECTED = Y * (WEIGHT - (Y * WEIGHT).sum())


def got():
    grad(lambda x: ops.softmax(x, 1).sum())(Tensor([[1.0], [2.0]]))
    return grad(lambda x: (ops.softmax(x, 1) * Tensor(WEIGHT)).sum())(Tensor(X))
