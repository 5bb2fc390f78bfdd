import mindspore


def avg_pool2d_by_slices(x, kernel_size, stride=None, padding=0, count_include_pad=True):
    """Average pooling as the mean of strided slices, which can be differentiated twice."""
    high, wide = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    stride = kernel_size if stride is None else stride
    down, across = (stride, stride) if isinstance(stride, int) else stride
    above, before = (padding, padding) if isinstance(padding, int) else padding
    last_row, last_column = x.shape[-2] - 1, x.shape[-1] - 1
    tops = range(-above, last_row + above - high + 2, down)
    lefts = range(-before, last_column + before - wide + 2, across)
    result, count = None, float(high * wide)
    for index in range(high * wide):
        rows = [top + index // wide for top in tops]
        columns = [left + index % wide for left in lefts]
        part = x[
            ..., mindspore.tensor([min(max(row, 0), last_row) for row in rows], dtype=mindspore.int32), :
        ]
        part = part[
            ...,
            mindspore.tensor([min(max(column, 0), last_column) for column in columns], dtype=mindspore.int32),
        ]
        if above or before:
            inside = [
                [float(0 <= row <= last_row and 0 <= column <= last_column) for column in columns]
                for row in rows
            ]
            part = part * mindspore.tensor(inside, x.dtype)
        result = part if result is None else result + part
    if (above or before) and not count_include_pad:
        heights = [min(top + high, last_row + 1) - max(top, 0) for top in tops]
        widths = [min(left + wide, last_column + 1) - max(left, 0) for left in lefts]
        count = mindspore.tensor([[float(height * width) for width in widths] for height in heights], x.dtype)
    return result / count
