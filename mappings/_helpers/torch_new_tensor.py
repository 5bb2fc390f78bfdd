import mindspore


def torch_new_tensor(input, data, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A tensor of its own with this data, of the dtype of another one unless one is given, as PyTorch's new_tensor."""
    dtype = input.dtype if dtype is None else dtype
    if isinstance(data, mindspore.Tensor):
        return mindspore.ops.stop_gradient(data).copy().to(dtype)
    return mindspore.tensor(torch_data(data), dtype=dtype)
