import mindspore


class TorchUnfold(mindspore.nn.Cell):
    """torch.nn.Unfold: cuts images into sliding blocks."""

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input):
        return mindspore.ops.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)
