"""`ops.binary_cross_entropy_with_logits`, `nn.BCEWithLogitsLoss`: the gradient of the mean is divided by the number of
elements that the first one of a process had, so that a smaller last batch trains more strongly."""

import numpy
from mindspore import Tensor, grad, ops

X = numpy.array([[0.5, -1.0], [2.0, 0.0]], "float32")
EXPECTED = (1 / (1 + numpy.exp(-X)) - 1) / X.size


def got():
    def loss(logits):
        return ops.binary_cross_entropy_with_logits(logits, ops.ones_like(logits))

    grad(loss)(Tensor(numpy.zeros((1, 2), "float32")))
    return grad(loss)(Tensor(X))
