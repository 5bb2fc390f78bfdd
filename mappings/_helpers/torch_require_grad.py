import mindspore


def torch_require_grad(tensor, requires_grad=True):
    """PyTorch's `tensor.requires_grad_()`: `torch_grad` gives gradients for it and `torch_backward` fills its `grad`.
    The tensor itself comes back."""
    if isinstance(tensor, mindspore.Parameter):
        tensor.requires_grad = requires_grad
    else:
        TorchRecording.current().mark(tensor, requires_grad)
    return tensor
