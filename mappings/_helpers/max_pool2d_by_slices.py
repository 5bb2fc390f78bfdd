import mindspore


def max_pool2d_by_slices(x, kernel_size, stride=None, padding=0):
    """Maximum pooling as the maximum of strided slices, which can be differentiated twice."""
    high, wide = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    stride = kernel_size if stride is None else stride
    down, across = (stride, stride) if isinstance(stride, int) else stride
    above, before = (padding, padding) if isinstance(padding, int) else padding
    last_row, last_column = x.shape[-2] - 1, x.shape[-1] - 1
    tops = range(-above, last_row + above - high + 2, down)
    lefts = range(-before, last_column + before - wide + 2, across)
    result = None
    for index in range(high * wide):
        # In place of what is padded stands the border, which is in the same window.
        rows = [min(max(top + index // wide, 0), last_row) for top in tops]
        columns = [min(max(left + index % wide, 0), last_column) for left in lefts]
        rows = mindspore.tensor(rows, dtype=mindspore.int32)
        columns = mindspore.tensor(columns, dtype=mindspore.int32)
        part = x[..., rows, :][..., columns]
        result = part if result is None else mindspore.ops.maximum(result, part)
    return result
