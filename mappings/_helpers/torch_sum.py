import mindspore


def torch_sum(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """PyTorch's sum, where it is handed on."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    if dim is None:
        return mindspore.mint.sum(input, dtype=dtype)
    return mindspore.mint.sum(input, dim, keepdim, dtype=dtype)
