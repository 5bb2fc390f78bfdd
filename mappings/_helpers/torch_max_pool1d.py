import mindspore


def torch_max_pool1d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """PyTorch's functional.max_pool1d: each size is a number, or a list or tuple with one."""
    kernel_size, stride, padding, dilation = (
        size[0] if isinstance(size, (tuple, list)) else size
        for size in (kernel_size, stride or kernel_size, padding, dilation)
    )
    pool = mindspore.nn.MaxPool1d(kernel_size, stride, "pad", padding, dilation, return_indices, ceil_mode)
    return pool(input)
