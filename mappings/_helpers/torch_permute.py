import mindspore


def torch_permute(input, dims):
    """PyTorch's permute, which takes a list of dimensions as well."""
    return mindspore.mint.permute(input, tuple(dims))
