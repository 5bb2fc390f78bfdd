import mindspore


def torch_conv_transpose1d(
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    """PyTorch's conv_transpose1d, as one of two axes, the first of which has a single place."""

    def last(first, value):
        return (first, value if isinstance(value, int) else value[0])

    sizes = (last(1, stride), last(0, padding), last(0, output_padding), groups, last(1, dilation))
    output = torch_conv_transpose2d(input.expand_dims(-2), weight.expand_dims(-2), bias, *sizes)
    return mindspore.ops.squeeze(output, -2)
