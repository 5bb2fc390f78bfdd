import mindspore
import numpy


def torch_operand(value):
    """What an operator of PyTorch takes for a value of NumPy's beside a tensor: a tensor for an array, a plain number
    for one of its numbers."""
    return value.item() if isinstance(value, numpy.generic) else mindspore.tensor(value)
