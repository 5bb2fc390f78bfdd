import mindspore


def torch_median(input, dim=None, keepdim=False):
    """PyTorch's median: of all elements, or along an axis together with the places."""
    if dim is None:
        return mindspore.ops.median(input.flatten())[0]
    return mindspore.ops.median(input, dim, keepdim)
