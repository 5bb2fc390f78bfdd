import mindspore


class TorchAvgPool2d(mindspore.nn.Cell):
    """mindspore.ops.avg_pool2d as a layer with the arguments of PyTorch's AvgPool2d."""

    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=None,
    ):
        super().__init__()
        self.kernel_size, self.stride = (
            tuple(size) if isinstance(size, list) else size
            for size in (kernel_size, kernel_size if stride is None else stride)
        )
        self.padding = padding
        if isinstance(padding, (tuple, list)):  # for each axis, or one for both
            self.padding = (padding[0], padding[0], padding[-1], padding[-1])
        self.ceil_mode = ceil_mode
        # With a divisor padding changes no sum, but must count for the gradient to be right.
        self.count_include_pad = count_include_pad or divisor_override is not None
        self.divisor_override = divisor_override

    def construct(self, input):
        return mindspore.ops.avg_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override or 0,
        )
