import mindspore
import numpy


def torch_as_strided(input, size, stride, storage_offset=None):
    """PyTorch's as_strided for a tensor whose elements follow each other in memory: a copy of those at these places."""
    places = numpy.asarray(storage_offset or 0)
    for length, step in zip(size, stride):
        places = numpy.expand_dims(places, -1) + numpy.arange(length) * step
    return input.flatten()[mindspore.Tensor(places)]
