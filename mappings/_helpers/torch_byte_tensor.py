import mindspore


def torch_byte_tensor(*data, device=None):
    """PyTorch's ByteTensor(...): a uint8 tensor of these sizes, or of this data."""
    return torch_typed_tensor(mindspore.uint8, data)


torch_byte_tensor.dtype = mindspore.uint8  # for `x.type(torch_byte_tensor)`
