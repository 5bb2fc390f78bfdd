import mindspore


def torch_float_tensor(*data):
    """PyTorch's Tensor(...): a float32 tensor of these sizes, or of this data."""
    if all(isinstance(size, int) for size in data):
        return mindspore.ops.zeros(data or (0,), mindspore.float32)
    (values,) = data
    if isinstance(values, mindspore.Tensor):
        return values.astype(mindspore.float32)
    if isinstance(values, tuple) and all(isinstance(value, int) for value in values):
        raise TypeError("sizes or data? write ops.zeros or mindspore.tensor")
    return mindspore.Tensor(values, mindspore.float32)
