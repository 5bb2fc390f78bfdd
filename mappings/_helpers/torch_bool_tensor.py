import mindspore


def torch_bool_tensor(*data, device=None):
    """PyTorch's BoolTensor(...): a bool tensor of these sizes, or of this data."""
    return torch_typed_tensor(mindspore.bool_, data)


torch_bool_tensor.dtype = mindspore.bool_  # for `x.type(torch_bool_tensor)`
