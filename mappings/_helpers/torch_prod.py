import mindspore


def torch_prod(input, dim=None, keepdim=False, *, dtype=None):
    """PyTorch's prod: 1 along an axis without elements, where MindSpore's on CPU is what the memory holds."""
    if 0 in input.shape:
        return mindspore.ops.ones_like(mindspore.mint.sum(input, dim, keepdim, dtype=dtype))
    return mindspore.mint.prod(input, dim, keepdim, dtype=dtype)
