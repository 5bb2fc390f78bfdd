import mindspore


class TorchConvTranspose1d(mindspore.nn.Conv1dTranspose):
    """mindspore.nn.Conv1dTranspose with the arguments of PyTorch's, and its weight of three axes."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        **unused,
    ):
        kernel_size, stride, padding, output_padding, dilation = (
            size[0] if isinstance(size, (tuple, list)) else size
            for size in (kernel_size, stride, padding, output_padding, dilation)
        )
        if padding_mode != "zeros":
            raise ValueError("only zeros are padded")
        super().__init__(
            in_channels, out_channels, kernel_size, stride, "pad", padding, dilation, groups, bool(bias)
        )
        # MindSpore keeps those of a convolution over two axes.
        self.kernel_size, self.stride, self.dilation = (kernel_size,), (stride,), (dilation,)
        self.padding, self.output_padding, self.groups = (padding,), (output_padding,), groups
        self.weight = mindspore.Parameter(mindspore.ops.stop_gradient(self.weight.squeeze(2)))

    def construct(self, input, output_size=None):
        extra = self.output_padding
        if output_size is not None:
            sizes = self.kernel_size, self.stride, self.padding, self.dilation
            extra = torch_output_padding(input, output_size, *sizes)
        return torch_conv_transpose1d(
            input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation
        )
