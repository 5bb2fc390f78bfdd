import mindspore


def torch_clamp_(input, min=None, max=None):
    """PyTorch's clamp_, where its bounds are handed on: they are written into the tensor itself."""
    return torch_in_place(mindspore.Tensor.clamp, input, min, max)
