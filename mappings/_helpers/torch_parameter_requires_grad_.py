import mindspore


def torch_parameter_requires_grad_(input, mode=True):
    """PyTorch's Tensor.requires_grad_ where nobody asks for the gradient of a tensor that is no Parameter."""
    if isinstance(input, mindspore.Parameter):
        input.requires_grad = bool(mode)
    return input
