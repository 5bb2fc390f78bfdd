import mindspore


def max_pool2d_by_slices(x, kernel_size, stride=None):
    """Maximum pooling without padding as the maximum of strided slices, which can be differentiated twice."""
    high, wide = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    stride = kernel_size if stride is None else stride
    down, across = (stride, stride) if isinstance(stride, int) else stride
    tops, lefts = range(0, x.shape[-2] - high + 1, down), range(0, x.shape[-1] - wide + 1, across)
    result = None
    for index in range(high * wide):
        rows = mindspore.tensor([top + index // wide for top in tops], dtype=mindspore.int32)
        columns = mindspore.tensor([left + index % wide for left in lefts], dtype=mindspore.int32)
        part = x[..., rows, :][..., columns]
        result = part if result is None else mindspore.ops.maximum(result, part)
    return result
