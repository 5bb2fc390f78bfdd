import mindspore
import numpy


def torch_unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """PyTorch's unique."""
    found = numpy.unique(input.asnumpy(), False, return_inverse, return_counts, axis=dim)
    if not isinstance(found, tuple):
        return mindspore.tensor(found)
    shapes = [one.shape for one in found]
    if return_inverse and dim is None:
        shapes[1] = input.shape
    return tuple(mindspore.tensor(one.reshape(shape)) for one, shape in zip(found, shapes))
