import mindspore


def torch_arange(start, end=None, step=1, dtype=None, out=None, requires_grad=False, **options):
    """PyTorch's arange for options that are handed on, and numbers of NumPy; where it lies is MindSpore's affair."""
    if requires_grad:
        raise NotImplementedError("a tensor is made, and has no gradient of its own")
    start, end = (0, start) if end is None else (start, end)
    # MindSpore takes no numbers of NumPy.
    start, end, step = (one.item() if hasattr(one, "item") else one for one in (start, end, step))
    if out is None:
        return mindspore.ops.arange(start, end, step, dtype=dtype)
    out.assign_value(mindspore.ops.arange(start, end, step, dtype=out.dtype))
    return out
