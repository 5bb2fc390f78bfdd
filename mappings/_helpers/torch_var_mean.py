def torch_var_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """PyTorch's var_mean; `ops.var_mean` takes no more than 200,000 numbers on CPU."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    axes = tuple(dim) if isinstance(dim, (tuple, list)) else dim
    return torch_var(input, axes, unbiased, keepdim, correction=correction), input.mean(axes, keepdim)
