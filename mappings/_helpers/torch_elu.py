import mindspore


def torch_elu(input, alpha=1.0, inplace=False):
    """PyTorch's functional.elu; it leaves its input as it is."""
    if inplace:
        raise NotImplementedError("torch_elu cannot overwrite its input")
    return mindspore.ops.relu(input) - alpha * (1 - mindspore.ops.exp(mindspore.ops.minimum(input, 0)))
