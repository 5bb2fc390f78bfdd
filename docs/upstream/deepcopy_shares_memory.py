"""`copy.deepcopy` of a tensor, or of a Cell with buffers: the copy has the memory of the original, so that writing one
in place writes both. Parameters are copied."""

import copy

from mindspore import Tensor

EXPECTED = [1.0, 1.0]  # NumPy's and torch's copies are apart


def got():
    original = Tensor([1.0, 1.0])
    copied = copy.deepcopy(original)
    copied[()] = copied.copy() * 5.0
    return original
