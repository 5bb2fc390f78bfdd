import mindspore


class TorchFold(mindspore.nn.Cell):
    """torch.nn.Fold: adds sliding blocks back into an image."""

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def construct(self, input):
        size = self.output_size
        size = mindspore.Tensor((size, size) if isinstance(size, int) else tuple(size), mindspore.int32)
        return mindspore.ops.fold(input, size, self.kernel_size, self.dilation, self.padding, self.stride)
