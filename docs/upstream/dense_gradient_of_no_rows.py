"""`nn.Dense`, `ops.dense` on CPU: for a batch without rows, as what a mask selected, the gradient of the weight is what
the memory holds, where it is zero."""

import numpy
from mindspore import Tensor, grad, nn, ops

EXPECTED = numpy.zeros((3, 4), "float32")


def got():
    layer = nn.Dense(4, 3)

    def loss():
        nothing = layer(ops.zeros((0, 4))).reshape(-1)
        total = ops.cat((nothing, ops.zeros((1,)))).sum()
        used = [Tensor(numpy.full((100,), 7.0, "float32")) * number for number in range(60)]
        for one in used:  # what memory holds that was used before
            one.asnumpy()
        return total

    found = [grad(loss, None, layer.trainable_params())()[0].asnumpy() for _ in range(6)]
    return max(found, key=lambda one: numpy.abs(one).max())
