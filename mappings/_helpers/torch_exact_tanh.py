import mindspore


def torch_exact_tanh(input):
    """PyTorch's tanh: on the CPU mindspore.ops.tanh of float32 is off by up to 1e-4, and above 1 where x is near 5."""
    if input.dtype != mindspore.float32:
        return mindspore.ops.tanh(input)
    return mindspore.ops.tanh(input.astype(mindspore.float64)).astype(mindspore.float32)
