import math

import mindspore


class TorchConvNd(mindspore.nn.Cell):
    """The base class of PyTorch's convolutions: it keeps the settings, the weight and the bias; subclasses compute."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        bias,
        padding_mode,
        **unused,
    ):
        super().__init__()
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        channels = (in_channels, out_channels) if transposed else (out_channels, in_channels)
        shape = (channels[0], channels[1] // groups, *kernel_size)
        self.weight = mindspore.Parameter(mindspore.ops.zeros(shape))
        self.bias = mindspore.Parameter(mindspore.ops.zeros(out_channels)) if bias else None
        self.reset_parameters()
        self.set_train()

    def reset_parameters(self):
        bound = 1 / math.sqrt(math.prod(self.weight.shape[1:]))
        for parameter in (self.weight, self.bias):
            if parameter is not None:
                uniform = mindspore.common.initializer.Uniform(bound)
                values = mindspore.common.initializer.initializer(uniform, parameter.shape, parameter.dtype)
                parameter.set_data(values.init_data())


TorchConvNd.__name__ = "_ConvNd"  # code may ask for it
