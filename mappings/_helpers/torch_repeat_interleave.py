import mindspore


def torch_repeat_interleave(input, repeats, dim=None, *, output_size=None):
    """PyTorch's repeat_interleave, which takes bool tensors as well: MindSpore has no kernel for them on CPU."""
    is_bool = input.dtype == mindspore.bool_
    repeated = mindspore.ops.repeat_interleave(input.int() if is_bool else input, repeats, dim)
    return repeated.bool() if is_bool else repeated
