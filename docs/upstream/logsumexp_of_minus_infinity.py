"""`ops.logsumexp`: NaN where all elements are -inf, whose sum of exponentials is 0."""

from mindspore import Tensor, ops

EXPECTED = [float("-inf")]


def got():
    return ops.logsumexp(Tensor([[float("-inf"), float("-inf")]]), 1)
