import mindspore


def torch_tensor_requires_grad_(input, mode=True):
    """PyTorch's Tensor.requires_grad_ of a Parameter, and of a tensor that gets no gradient."""
    if isinstance(input, mindspore.Parameter):
        input.requires_grad = bool(mode)
    elif mode:
        raise NotImplementedError("MindSpore is told when it differentiates what to differentiate by")
    return input
