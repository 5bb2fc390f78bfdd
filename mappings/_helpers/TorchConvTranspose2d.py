import mindspore


class TorchConvTranspose2d(mindspore.nn.Conv2dTranspose):
    """mindspore.nn.Conv2dTranspose with the arguments of PyTorch's. Output padding is less padding at the end, because
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
        sizes = {}
        for name, size in dict(kernel_size=kernel_size, stride=stride, dilation=dilation).items():
            sizes[name] = tuple(size) if isinstance(size, list) else size
        (top, left), (below, right) = (
            tuple(size) if isinstance(size, (tuple, list)) else (size, size)
            for size in (padding, output_padding)
        )
        if padding_mode != "zeros" or below > top or right > left:
            raise NotImplementedError("zeros are padded, and no more at the end than at the start")
        super().__init__(
            in_channels,
            out_channels,
            pad_mode="pad",
            padding=(top, top - below, left, left - right),
            group=groups,
            has_bias=bool(bias),
            **sizes,
        )
