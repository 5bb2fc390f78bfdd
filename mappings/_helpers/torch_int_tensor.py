import mindspore


def torch_int_tensor(*data, device=None):
    """PyTorch's IntTensor(...): an int32 tensor of these sizes, or of this data."""
    return torch_typed_tensor(mindspore.int32, data)


torch_int_tensor.dtype = mindspore.int32  # for `x.type(torch_int_tensor)`
