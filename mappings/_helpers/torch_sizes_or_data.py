import mindspore


def torch_sizes_or_data(owner):
    """What PyTorch's FloatTensor(owner.shape) gets: the sizes of a tensor one by one, any other shape as data."""
    if isinstance(owner, mindspore.Tensor):
        return owner.shape
    return (list(owner.shape) if isinstance(owner.shape, tuple) else owner.shape,)
