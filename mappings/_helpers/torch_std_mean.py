def torch_std_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """PyTorch's std_mean; `ops.std_mean` takes no more than 200,000 numbers on CPU."""
    variance, mean = torch_var_mean(input, dim, unbiased, keepdim, correction=correction)
    return variance.sqrt(), mean
