import mindspore


class TorchMaxPool1d(mindspore.nn.MaxPool1d):
    """mindspore.nn.MaxPool1d with the arguments of PyTorch's."""

    def __init__(
        self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False
    ):
        kernel_size, stride, padding, dilation = (
            size[0] if isinstance(size, (tuple, list)) else size
            for size in (kernel_size, kernel_size if stride is None else stride, padding, dilation)
        )
        super().__init__(kernel_size, stride, "pad", padding, dilation, return_indices, ceil_mode)
