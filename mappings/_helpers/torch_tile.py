import mindspore


def torch_tile(input, dims):
    """PyTorch's tile, which takes a list as well."""
    return mindspore.ops.tile(input, tuple(dims))
