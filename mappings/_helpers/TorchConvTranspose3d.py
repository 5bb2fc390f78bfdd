import mindspore


class TorchConvTranspose3d(mindspore.nn.Conv3dTranspose):
    """mindspore.nn.Conv3dTranspose with the arguments of PyTorch's."""

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
        if padding_mode != "zeros":
            raise ValueError(
                f"padding_mode={padding_mode!r} has no counterpart in mindspore.nn.Conv3dTranspose"
            )
        kernel_size, stride, padding, output_padding, dilation = (
            tuple(size) if isinstance(size, list) else size
            for size in (kernel_size, stride, padding, output_padding, dilation)
        )
        if isinstance(padding, tuple):
            padding = tuple(side for side in padding for _ in range(2))
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            "pad",
            padding,
            dilation,
            groups,
            output_padding,
            bool(bias),
        )

    def construct(self, x, output_size=None):
        if output_size is None:
            return super().construct(x)
        padding = (self.padding,) * 6 if isinstance(self.padding, int) else self.padding
        extra = torch_output_padding(
            x, output_size, self.kernel_size, self.stride, padding[::2], self.dilation
        )
        operator = mindspore.ops.Conv3DTranspose(
            self.in_channels,
            self.out_channels,
            self.kernel_size,
            pad_mode="pad",
            pad=padding,
            stride=self.stride,
            dilation=self.dilation,
            group=self.group,
            output_padding=extra,
        )
        output = operator(x, self.weight)
        return output + self.bias.reshape(1, -1, 1, 1, 1) if self.has_bias else output
