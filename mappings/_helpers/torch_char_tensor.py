import mindspore


def torch_char_tensor(*data, device=None):
    """PyTorch's CharTensor(...): an int8 tensor of these sizes, or of this data."""
    return torch_typed_tensor(mindspore.int8, data)


torch_char_tensor.dtype = mindspore.int8  # for `x.type(torch_char_tensor)`
