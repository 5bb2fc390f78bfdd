import mindspore


def torch_avg_pool3d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """PyTorch's avg_pool3d, also without a batch axis: windows follow each other without a gap unless a stride is
    given, and a size is a number, or a list or tuple with one or three."""
    if input.ndim == 4:
        sizes = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        return torch_avg_pool3d(input.expand_dims(0), *sizes).squeeze(0)
    kernel_size, stride, padding = (
        tuple(size) * (3 // len(size)) if isinstance(size, (tuple, list)) else (size,) * 3
        for size in (kernel_size, stride or kernel_size, padding)
    )
    sides = tuple(side for axis in padding for side in (axis, axis))
    if divisor_override:  # it may be negative
        return (
            mindspore.ops.avg_pool3d(input, kernel_size, stride, sides, ceil_mode, True, 1) / divisor_override
        )
    return mindspore.ops.avg_pool3d(input, kernel_size, stride, sides, ceil_mode, count_include_pad, 0)
