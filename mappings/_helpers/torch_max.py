import mindspore


def torch_max(input, dim=None, keepdim=False, *, other=None, out=None):
    """PyTorch's max where only running tells whether the second argument is an axis or a tensor."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    if isinstance(dim, mindspore.Tensor):
        dim, other = None, dim
    if other is not None:
        return torch_maximum(input, other)
    return mindspore.mint.max(input) if dim is None else torch_max_along(input, dim, keepdim)
