import mindspore


class TorchConvTranspose2d(mindspore.nn.Conv2dTranspose):
    """mindspore.nn.Conv2dTranspose with the arguments of PyTorch's, computed by a function, because with output padding
    MindSpore's own computes other values."""

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
            tuple(size) if isinstance(size, (tuple, list)) else (size, size)
            for size in (kernel_size, stride, padding, output_padding, dilation)
        )
        if padding_mode != "zeros":
            raise NotImplementedError("only zeros are padded")
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            "pad",
            tuple(side for side in padding for _ in range(2)),
            dilation=dilation,
            group=groups,
            has_bias=bool(bias),
        )
        self.output_padding = output_padding
        self.padding = padding  # one number for each axis, as a subclass hands them to a function
        self.groups = groups

    def construct(self, x, output_size=None):
        padding, extra = self.padding, self.output_padding
        if output_size is not None:
            extra = torch_output_padding(
                x, output_size, self.kernel_size, self.stride, padding, self.dilation
            )
        bias = self.bias if self.has_bias else None
        return torch_conv_transpose2d(
            x, self.weight, bias, self.stride, padding, extra, self.group, self.dilation
        )
