import mindspore


def torch_is_tensor(obj):
    """Whether an object is a tensor."""
    return isinstance(obj, mindspore.Tensor)
