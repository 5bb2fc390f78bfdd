import mindspore


def torch_mean(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """PyTorch's mean, where it is handed on."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    if dim is None:
        return mindspore.mint.mean(input, dtype=dtype)
    return mindspore.mint.mean(input, dim, keepdim, dtype=dtype)
