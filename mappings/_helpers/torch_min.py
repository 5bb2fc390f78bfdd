import mindspore


def torch_min(input, dim=None, keepdim=False, *, other=None, out=None):
    """PyTorch's min where only running tells whether the second argument is an axis or a tensor."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    if isinstance(dim, mindspore.Tensor):
        dim, other = None, dim
    if other is not None:
        return torch_minimum(input, other)
    return mindspore.mint.min(input) if dim is None else torch_min_along(input, dim, keepdim)
