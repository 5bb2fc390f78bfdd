import mindspore


def torch_data(data):
    """Data as PyTorch reads it: numbers in place of the tensors in lists, each of one element."""
    if isinstance(data, (list, tuple)):
        return [torch_data(value) for value in data]
    return data.item() if isinstance(data, mindspore.Tensor) else data
