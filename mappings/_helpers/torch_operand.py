import mindspore
import numpy


def torch_operand(value):
    """What an operator of PyTorch takes for a value of NumPy's beside a tensor: a tensor for an array, a plain number
    for one of its numbers."""
    if isinstance(value, numpy.generic):
        return value.item()
    return mindspore.tensor(value) if isinstance(value, numpy.ndarray) else value
