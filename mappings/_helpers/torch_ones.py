import mindspore


def torch_ones(*size, dtype=None, out=None, requires_grad=False, **options):
    """PyTorch's ones for sizes and options that are handed on; where the tensor lies is MindSpore's affair."""
    if requires_grad:
        raise NotImplementedError("a tensor is made, and has no gradient of its own")
    if out is not None:
        return torch_into(out, torch_ones(*size, dtype=out.dtype))
    if len(size) == 1 and not isinstance(size[0], int):
        size = tuple(size[0])
    dtype = dtype or mindspore.float32
    return mindspore.ops.ones(size, dtype) if size else mindspore.tensor(1, dtype)
