import mindspore


def torch_cumprod(input, dim, *, dtype=None):
    """PyTorch's cumprod: each pass doubles the number of neighbours in a product, so gradients are right at zeros."""
    if dtype is None and not input.is_floating_point() and not input.is_complex():
        dtype = mindspore.int64
    result = input * 1 if dtype is None else input.astype(dtype)
    length = result.shape[dim] if result.ndim else 0
    step = 1
    while step < length:
        first, rest = mindspore.ops.split(result, [step, length - step], dim)
        before = mindspore.ops.split(result, [length - step, step], dim)[0]
        result = mindspore.ops.cat((first, rest * before), dim)
        step *= 2
    return result
