import mindspore


class TorchConvTranspose1d(mindspore.nn.Conv1dTranspose):
    """mindspore.nn.Conv1dTranspose with the arguments of PyTorch's, but for output padding, which it does not have."""

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
        if padding_mode != "zeros" or output_padding:
            raise NotImplementedError("only zeros are padded, and on both sides alike")
        super().__init__(
            in_channels, out_channels, kernel_size, stride, "pad", padding, dilation, groups, bool(bias)
        )
