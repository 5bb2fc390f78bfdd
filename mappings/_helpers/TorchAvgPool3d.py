import mindspore


class TorchAvgPool3d(mindspore.nn.AvgPool3d):
    """mindspore.nn.AvgPool3d with the arguments of PyTorch's."""

    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=None,
    ):
        kernel_size, stride, padding = (
            tuple(size) if isinstance(size, list) else size
            for size in (kernel_size, kernel_size if stride is None else stride, padding)
        )
        super().__init__(kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override)
