import mindspore


def torch_float_tensor(*data, device=None):
    """PyTorch's Tensor(...) and FloatTensor(...): a float32 tensor of these sizes, or of this data."""
    return torch_typed_tensor(mindspore.float32, data)


torch_float_tensor.dtype = mindspore.float32  # for `x.type(torch_float_tensor)`
