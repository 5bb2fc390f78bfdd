import mindspore


def torch_max_along(input, dim, keepdim=False):
    """PyTorch's max along an axis: values and indices, also of a tensor that has no elements along another axis, which
    MindSpore refuses."""
    return (
        mindspore.mint.max(input, dim, keepdim) if input.size else torch_ends_of_nothing(input, dim, keepdim)
    )
