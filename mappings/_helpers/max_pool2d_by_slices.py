import mindspore


def max_pool2d_by_slices(x, kernel_size, stride=None):
    """Maximum pooling without padding as the maximum of strided slices, which can be differentiated twice."""
    high, wide = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    stride = kernel_size if stride is None else stride
    down, across = (stride, stride) if isinstance(stride, int) else stride
    bottom = (x.shape[-2] - high) // down * down + 1
    right = (x.shape[-1] - wide) // across * across + 1
    result = x[..., 0:bottom:down, 0:right:across]
    for index in range(1, high * wide):
        i, j = index // wide, index % wide
        result = mindspore.ops.maximum(result, x[..., i : i + bottom : down, j : j + right : across])
    return result
