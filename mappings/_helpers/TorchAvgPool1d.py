import mindspore


class TorchAvgPool1d(mindspore.nn.AvgPool1d):
    """mindspore.nn.AvgPool1d with the arguments of PyTorch's."""

    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode=False,
        count_include_pad=True,
    ):
        kernel_size, stride, padding = (
            size[0] if isinstance(size, (tuple, list)) else size
            for size in (kernel_size, kernel_size if stride is None else stride, padding)
        )
        super().__init__(kernel_size, stride, "pad", padding, ceil_mode, count_include_pad)
