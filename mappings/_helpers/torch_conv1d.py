import mindspore


def torch_conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """PyTorch's functional.conv1d: the padding is a number, one for each axis, or "same" or "valid"."""
    if isinstance(padding, str):
        return mindspore.ops.conv1d(input, weight, bias, stride, padding, 0, dilation, groups)
    padding = padding if isinstance(padding, int) else padding[0]
    return mindspore.ops.conv1d(input, weight, bias, stride, "pad", padding, dilation, groups)
