import mindspore
import numpy


def torch_minimum(input, other):
    """PyTorch's minimum, also of no elements, which MindSpore refuses on a CPU."""
    if input.size and other.size:
        return mindspore.ops.minimum(input, other)
    # No operator: on the way back MindSpore's would give what is spread over nothing what the memory holds.
    return mindspore.ops.zeros(numpy.broadcast_shapes(input.shape, other.shape), input.dtype)
