"""`ops.index_fill`: a value that is a tensor gets no gradient."""

from mindspore import Tensor, grad, int32, ops

EXPECTED = [2.0]


def got():
    x, index = Tensor([1.0, 2.0, 3.0]), Tensor([0, 2], int32)
    return grad(lambda value: ops.index_fill(x, 0, index, value).sum())(Tensor(5.0)).reshape(1)
