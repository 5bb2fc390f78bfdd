import mindspore


def torch_conv_transpose2d(
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    """PyTorch's conv_transpose2d, also without a batch axis; the operator is told the size of its result."""
    if input.ndim == 3:
        arguments = (weight, bias, stride, padding, output_padding, groups, dilation)
        return torch_conv_transpose2d(input.expand_dims(0), *arguments).squeeze(0)

    def pair(value):
        value = (value, value) if isinstance(value, int) else tuple(value)
        return value * 2 if len(value) == 1 else value

    s, p, extra, d = pair(stride), pair(padding), pair(output_padding), pair(dilation)
    kernel = weight.shape[2:]
    size = tuple(
        (input.shape[i + 2] - 1) * s[i] - 2 * p[i] + d[i] * (kernel[i] - 1) + extra[i] + 1 for i in (0, 1)
    )
    operator = mindspore.ops.Conv2DTranspose(
        weight.shape[0], kernel, "pad", (p[0], p[0], p[1], p[1]), None, 1, s, d, groups
    )
    output = operator(input, weight, (input.shape[0], weight.shape[1] * groups, *size))
    return output if bias is None else output + bias.reshape(1, -1, 1, 1)
