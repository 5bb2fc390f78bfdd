import mindspore


class AvgPool2dBySlices(mindspore.nn.Cell):
    """mindspore.nn.AvgPool2d, written so that it can be differentiated twice."""

    def __init__(self, kernel_size, stride=None, padding=0, count_include_pad=True):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.count_include_pad = count_include_pad

    def construct(self, x):
        return avg_pool2d_by_slices(x, self.kernel_size, self.stride, self.padding, self.count_include_pad)
