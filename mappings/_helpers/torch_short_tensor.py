import mindspore


def torch_short_tensor(*data, device=None):
    """PyTorch's ShortTensor(...): an int16 tensor of these sizes, or of this data."""
    return torch_typed_tensor(mindspore.int16, data)


torch_short_tensor.dtype = mindspore.int16  # for `x.type(torch_short_tensor)`
