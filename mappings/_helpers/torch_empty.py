import mindspore


def torch_empty(*size, dtype=None, out=None, requires_grad=False, **options):
    """PyTorch's empty for sizes and options that are handed on; where the tensor lies is MindSpore's affair."""
    if requires_grad:
        raise NotImplementedError("a tensor is made, and has no gradient of its own")
    if out is not None:
        return torch_into(out, torch_empty(*size, dtype=out.dtype))
    if len(size) == 1 and not isinstance(size[0], int):
        size = tuple(size[0])
    dtype = dtype or mindspore.float32
    return mindspore.ops.zeros(size, dtype) if size else mindspore.tensor(0, dtype)
