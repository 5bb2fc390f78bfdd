import mindspore


def torch_mish(input, inplace=False):
    """PyTorch's functional.mish, finite for values above 44, too; it leaves its input as it is."""
    if inplace:
        raise NotImplementedError("torch_mish cannot overwrite its input")
    return input * mindspore.ops.tanh(mindspore.ops.softplus(input))
