import mindspore


def torch_sizes_or_data(owner):
    """What PyTorch's FloatTensor(owner.shape) gets: the sizes of a tensor one by one, any other shape as data."""
    return owner.shape if isinstance(owner, mindspore.Tensor) else (list(owner.shape),)
