import mindspore


def torch_log1p(input):
    """PyTorch's log1p, exact near zero: MindSpore's kernel for float32 on CPU adds 1 first, which leaves few digits."""
    dtype = input.dtype if input.is_floating_point() else mindspore.float32
    return mindspore.ops.log1p(input.astype(mindspore.float64)).astype(dtype)
