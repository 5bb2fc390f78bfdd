"""`ops.pad` in a graph: the gradient of a constant padding is right in the first run alone."""

import mindspore
from mindspore import Tensor, grad, ops

EXPECTED = [1.0, 1.0, 1.0]


def got():
    mindspore.set_context(mode=mindspore.GRAPH_MODE)

    @mindspore.jit
    def slope(x):
        return grad(lambda one: ops.pad(one, (1, 1)).sum())(x)

    found = slope(Tensor([1.0, 2.0, 3.0]))
    for _ in range(3):
        found = slope(Tensor([1.0, 2.0, 3.0]))
    return found
