import mindspore


def torch_long_tensor(*data, device=None):
    """PyTorch's LongTensor(...): an int64 tensor of these sizes, or of this data."""
    return torch_typed_tensor(mindspore.int64, data)


torch_long_tensor.dtype = mindspore.int64  # for `x.type(torch_long_tensor)`
