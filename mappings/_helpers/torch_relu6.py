import mindspore


def torch_relu6(input, inplace=False):
    """PyTorch's functional.relu6; it leaves its input as it is."""
    if inplace:
        raise NotImplementedError("torch_relu6 cannot overwrite its input")
    return mindspore.ops.relu6(input)
