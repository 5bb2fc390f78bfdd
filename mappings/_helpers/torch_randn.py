import mindspore


def torch_randn(*size, dtype=None, out=None, requires_grad=False, generator=None, **options):
    """PyTorch's randn for sizes and options that are handed on; where the tensor lies is MindSpore's affair."""
    if out is not None or requires_grad or generator is not None:
        raise NotImplementedError("a tensor is made, has no gradient of its own, and takes no generator")
    if len(size) == 1 and not isinstance(size[0], int):
        size = tuple(size[0])
    return mindspore.ops.randn(*size, dtype=dtype or mindspore.float32)
