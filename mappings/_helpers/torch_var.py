import mindspore


def torch_var(input, dim=None, unbiased=True, keepdim=False, *, correction=None, out=None):
    """PyTorch's var, where it is handed on: over all elements or some axes, divided by their number without one."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    axes = tuple(dim) if isinstance(dim, (tuple, list)) else dim
    if 0 in input.shape:  # PyTorch's NaN, in the shape of the sums
        return mindspore.mint.sum(input, axes, keepdim) * float("nan")
    return input.var(axes, ddof=int(unbiased) if correction is None else correction, keepdims=keepdim)
