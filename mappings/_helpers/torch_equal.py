import numpy


def torch_equal(input, other):
    """PyTorch's equal: whether two tensors have the same shape and the same elements."""
    return numpy.array_equal(input.asnumpy(), other.asnumpy())
