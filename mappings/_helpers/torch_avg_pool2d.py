import mindspore


def torch_avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """PyTorch's avg_pool2d, also without a batch axis: windows follow each other without a gap unless a stride is
    given."""
    if input.ndim == 3:
        sizes = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        return torch_avg_pool2d(input.expand_dims(0), *sizes).squeeze(0)
    kernel_size, stride = (
        tuple(size) * (2 // len(size)) if isinstance(size, (tuple, list)) else size
        for size in (kernel_size, stride or kernel_size)
    )
    if isinstance(padding, (tuple, list)):  # for each axis, or one for both
        padding = (padding[0], padding[0], padding[-1], padding[-1])
    if divisor_override:
        # It may be negative. Padding changes no sum, but must count for the gradient to be right.
        sums = mindspore.ops.avg_pool2d(input, kernel_size, stride, padding, ceil_mode, True, 1)
        return sums / divisor_override
    return mindspore.ops.avg_pool2d(input, kernel_size, stride, padding, ceil_mode, count_include_pad, 0)
