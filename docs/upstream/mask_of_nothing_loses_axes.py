"""`x[:, mask]`, where the mask selects nothing: the result lacks the axes behind the masked one."""

import numpy
from mindspore import Tensor, ops

EXPECTED = (1, 0, 3)


def got():
    return numpy.array(ops.ones((1, 2, 3))[:, Tensor([False, False])].shape)
