import mindspore


def torch_singular_values(input):
    """PyTorch's svd with compute_uv=False: the singular values, between zeros for U and V."""
    *batch, rows, columns = input.shape
    values = mindspore.ops.svd(input, compute_uv=False)
    left, right = ((*batch, size, size) for size in (rows, columns))
    return mindspore.ops.zeros(left, input.dtype), values, mindspore.ops.zeros(right, input.dtype)
