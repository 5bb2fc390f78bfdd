import mindspore


def torch_double_tensor(*data, device=None):
    """PyTorch's DoubleTensor(...): a float64 tensor of these sizes, or of this data."""
    return torch_typed_tensor(mindspore.float64, data)


torch_double_tensor.dtype = mindspore.float64  # for `x.type(torch_double_tensor)`
