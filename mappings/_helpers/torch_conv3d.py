import mindspore


def torch_conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """PyTorch's functional.conv3d: sizes are a number or one for each axis, the padding also "same" or "valid"."""

    def sizes(value):
        if not isinstance(value, (list, tuple)):
            return value
        return tuple(value) if len(value) > 1 else value[0]

    stride, padding, dilation = sizes(stride), sizes(padding), sizes(dilation)
    if isinstance(padding, str):
        return mindspore.ops.conv3d(input, weight, bias, stride, padding, 0, dilation, groups)
    return mindspore.ops.conv3d(input, weight, bias, stride, "pad", padding, dilation, groups)
