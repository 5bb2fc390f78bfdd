import mindspore


def torch_conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """PyTorch's functional.conv1d: the padding is a number, one for each axis, or "same" or "valid"."""
    mode = padding if isinstance(padding, str) else "pad"
    sides = 0 if mode != "pad" else padding if isinstance(padding, int) else padding[0]
    output = mindspore.ops.conv1d(input, weight, None, stride, mode, sides, dilation, groups)
    # MindSpore refuses the gradient of its bias where the output has one step.
    return output if bias is None else output + bias.reshape((-1, 1))
