import mindspore


def torch_half_tensor(*data, device=None):
    """PyTorch's HalfTensor(...): a float16 tensor of these sizes, or of this data."""
    return torch_typed_tensor(mindspore.float16, data)


torch_half_tensor.dtype = mindspore.float16  # for `x.type(torch_half_tensor)`
