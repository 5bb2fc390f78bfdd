import mindspore


def torch_celu(input, alpha=1.0, inplace=False):
    """PyTorch's functional.celu; it leaves its input as it is."""
    if inplace:
        raise NotImplementedError("torch_celu cannot overwrite its input")
    return mindspore.ops.celu(input, float(alpha))
