import mindspore
import numpy as np


def torch_maximum(input, other):
    """PyTorch's maximum: one of the tensors may have no elements and the other a single one, to be spread."""
    if 0 in (input.size, other.size) and input.shape != other.shape:
        # MindSpore's on CPU takes them only where the shapes are the same.
        shape = np.broadcast_shapes(input.shape, other.shape)
        input, other = mindspore.ops.broadcast_to(input, shape), mindspore.ops.broadcast_to(other, shape)
    return mindspore.ops.maximum(input, other)
