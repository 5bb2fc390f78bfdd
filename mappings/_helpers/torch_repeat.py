import mindspore


def torch_repeat(input, *repeats):
    """PyTorch's repeat, also of a tensor without elements, which MindSpore's `tile` refuses on a CPU."""
    repeats = repeats[0] if len(repeats) == 1 and isinstance(repeats[0], (list, tuple)) else repeats
    if input.size:
        return input.tile(tuple(repeats))
    shape = (1,) * (len(repeats) - input.ndim) + tuple(input.shape)
    return mindspore.ops.zeros(tuple(map(lambda times, size: times * size, repeats, shape)), input.dtype)
