import mindspore


def torch_full(size, fill_value, *, out=None, dtype=None, requires_grad=False, **options):
    """PyTorch's full for a value of any type, which tells the dtype; where the tensor lies is MindSpore's affair."""
    if requires_grad:
        raise NotImplementedError("a tensor is made, and has no gradient of its own")
    if out is not None:
        return torch_into(out, torch_full(size, fill_value, dtype=out.dtype))
    value = fill_value.item() if hasattr(fill_value, "item") else fill_value
    if dtype is None:
        dtypes = {bool: mindspore.bool_, int: mindspore.int64, float: mindspore.float32}
        dtype = fill_value.dtype if isinstance(fill_value, mindspore.Tensor) else dtypes[type(value)]
    return mindspore.ops.full(torch_int_sizes((size,)), value, dtype=dtype)
