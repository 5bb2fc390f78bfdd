import mindspore


def torch_arange(start, end=None, step=1, dtype=None, out=None, requires_grad=False, **options):
    """PyTorch's arange for options that are handed on; where the tensor lies is MindSpore's affair."""
    if out is not None or requires_grad:
        raise NotImplementedError("a tensor is made, and has no gradient of its own")
    start, end = (0, start) if end is None else (start, end)
    return mindspore.ops.arange(start, end, step, dtype=dtype)
