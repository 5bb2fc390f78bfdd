import mindspore
import numpy


def torch_fill_diagonal_(input, fill_value, wrap=False):
    """PyTorch's fill_diagonal_: one value along the diagonal, written into the tensor itself. Of more than two axes,
    all of one length, it is where all indices are the same; `wrap` begins again below in a tall matrix."""
    diagonal = numpy.zeros(input.shape, bool)
    numpy.fill_diagonal(diagonal, True, wrap)
    return torch_in_place(mindspore.Tensor.masked_fill, input, mindspore.Tensor(diagonal), fill_value)
