import mindspore


def torch_min_along(input, dim, keepdim=False):
    """PyTorch's min along an axis: values and indices, also of a tensor that has no elements along another axis, which
    MindSpore refuses."""
    return (
        mindspore.mint.min(input, dim, keepdim) if input.size else torch_ends_of_nothing(input, dim, keepdim)
    )
