import mindspore


class TorchMaxPool2d(mindspore.nn.Cell):
    """mindspore.ops.max_pool2d as a layer with the arguments of PyTorch's MaxPool2d."""

    def __init__(
        self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False
    ):
        super().__init__()
        self.kernel_size, self.stride, self.padding, self.dilation = (
            tuple(size) if isinstance(size, list) else size
            for size in (kernel_size, kernel_size if stride is None else stride, padding, dilation)
        )
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def construct(self, input):
        return mindspore.ops.max_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            self.return_indices,
            self.ceil_mode,
        )
