def torch_var_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """PyTorch's var_mean; `ops.var_mean` takes no more than 200,000 numbers on CPU."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    axes = tuple(dim) if isinstance(dim, (tuple, list)) else dim
    spread = input.var(axes, ddof=int(unbiased) if correction is None else correction, keepdims=keepdim)
    return spread, input.mean(axes, keepdim)
