import mindspore


class TorchConv1d(mindspore.nn.Conv1d):
    """mindspore.nn.Conv1d with the arguments of PyTorch's."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        **unused,
    ):
        if padding_mode != "zeros":
            raise ValueError(f"padding_mode={padding_mode!r} has no counterpart in mindspore.nn.Conv1d")
        sizes = {}
        for name, size in dict(kernel_size=kernel_size, stride=stride, dilation=dilation).items():
            sizes[name] = size[0] if isinstance(size, (tuple, list)) else size
        mode = padding if isinstance(padding, str) else "pad"
        sides = 0
        if mode == "pad":
            sides = padding[0] if isinstance(padding, (tuple, list)) else padding
        super().__init__(
            in_channels,
            out_channels,
            pad_mode=mode,
            padding=sides,
            group=groups,
            has_bias=bool(bias),
            **sizes,
        )
        self.groups = groups
