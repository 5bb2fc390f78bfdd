import mindspore


def torch_mish(input, inplace=False):
    """PyTorch's functional.mish; it leaves its input as it is."""
    if inplace:
        raise NotImplementedError("torch_mish cannot overwrite its input")
    return mindspore.ops.mish(input)
