import mindspore


def torch_leaky_relu(input, negative_slope=0.01, inplace=False):
    """PyTorch's functional.leaky_relu; it leaves its input as it is."""
    if inplace:
        raise NotImplementedError("torch_leaky_relu cannot overwrite its input")
    return mindspore.ops.leaky_relu(input, negative_slope)
