import mindspore


class TorchConvTranspose2d(mindspore.nn.Conv2dTranspose):
    """mindspore.nn.Conv2dTranspose with the arguments of PyTorch's. Output padding is less padding at the end, because
    MindSpore's own computes other values; where it is more than the padding, the kernel does not reach the last rows
    and columns, and they are the bias."""

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
        if padding_mode != "zeros":
            raise NotImplementedError("only zeros are padded")
        super().__init__(
            in_channels,
            out_channels,
            pad_mode="pad",
            padding=(top, max(top - below, 0), left, max(left - right, 0)),
            group=groups,
            has_bias=bool(bias),
            **sizes,
        )
        self.unreached = (max(below - top, 0), max(right - left, 0))

    def construct(self, x):
        y = super().construct(x)
        for axis, count in zip((-2, -1), self.unreached):
            if count:
                shape = list(y.shape)
                shape[axis] = count
                edge = mindspore.ops.zeros(tuple(shape), y.dtype)
                if self.has_bias:
                    edge = edge + self.bias.reshape(-1, 1, 1)
                y = mindspore.ops.cat((y, edge), axis)
        return y
