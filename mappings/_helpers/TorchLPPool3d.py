import mindspore


class TorchLPPool3d(mindspore.nn.Cell):
    """PyTorch's LPPool3d: the power mean over sliding boxes, times the number of their values to the power 1 / p."""

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def construct(self, input):
        size = self.kernel_size
        depth, height, width = (size,) * 3 if isinstance(size, int) else size
        powers = mindspore.ops.avg_pool3d(
            input**self.norm_type,
            (depth, height, width),
            self.stride if self.stride is not None else (depth, height, width),
            ceil_mode=self.ceil_mode,
        )
        return (powers * (depth * height * width)) ** (1.0 / self.norm_type)
