"""Operators that spread one operand over the other on CPU: where the other has no elements, as in `boxes[:, None] -
targets` for no targets, the gradient of the first is what the memory holds, where it is zero."""

import numpy
from mindspore import Parameter, Tensor, grad, ops

EXPECTED = numpy.zeros((6, 1, 2), "float32")


def got():
    boxes = Parameter(Tensor(numpy.ones((6, 1, 2), "float32")), name="boxes")

    def loss():
        nothing = (boxes - ops.zeros((0, 2))).reshape(-1)
        total = ops.cat((nothing, ops.zeros((1,)))).sum()
        for number in range(60):  # what memory holds that was used before
            (Tensor(numpy.full((100,), 7.0, "float32")) * number).asnumpy()
        return total

    found = [grad(loss, None, boxes)().asnumpy() for _ in range(6)]
    return max(found, key=lambda one: numpy.abs(one).max())
