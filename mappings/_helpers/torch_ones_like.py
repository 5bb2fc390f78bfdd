import mindspore


def torch_ones_like(input, dtype=None, requires_grad=False, **options):
    """PyTorch's ones_like for options that are handed on; where the tensor lies is MindSpore's affair."""
    if requires_grad:
        raise NotImplementedError("a tensor is made, and has no gradient of its own")
    return mindspore.ops.ones_like(input, dtype=dtype or input.dtype)
