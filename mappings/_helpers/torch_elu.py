import mindspore


def torch_elu(input, alpha=1.0, inplace=False):
    """PyTorch's functional.elu; it leaves its input as it is."""
    if inplace:
        raise NotImplementedError("torch_elu cannot overwrite its input")
    below = mindspore.ops.exp(mindspore.ops.where(input > 0, 0, input)) - 1
    return mindspore.ops.where(input > 0, input, alpha * below)
