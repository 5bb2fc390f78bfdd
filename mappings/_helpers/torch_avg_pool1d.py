import mindspore


def torch_avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """PyTorch's avg_pool1d, also without a batch axis: windows follow each other without a gap unless a stride is
    given, and each size is a number, or a list or tuple with one."""
    if input.ndim == 2:
        sizes = (kernel_size, stride, padding, ceil_mode, count_include_pad)
        return torch_avg_pool1d(input.expand_dims(0), *sizes).squeeze(0)
    kernel_size, stride, padding = (
        size[0] if isinstance(size, (tuple, list)) else size
        for size in (kernel_size, stride or kernel_size, padding)
    )
    return mindspore.ops.avg_pool1d(input, kernel_size, stride, padding, ceil_mode, count_include_pad)
