import mindspore


def torch_lerp(input, end, weight, *, out=None):
    """PyTorch's lerp, whose weight may be a whole number, too."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    return mindspore.ops.lerp(input, end, float(weight) if isinstance(weight, int) else weight)
