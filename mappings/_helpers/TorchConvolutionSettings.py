import mindspore


class TorchConvolutionSettings:
    """Sets what PyTorch's convolutions read in every call; MindSpore's Conv2d reads it once, when it is built."""

    def __init__(self, layer):
        object.__setattr__(self, "layer", layer)

    def __setattr__(self, name, value):
        layer = self.layer
        if not isinstance(layer, mindspore.nn.Conv2d):
            setattr(layer, name, value)
            return
        sizes = tuple(value) if isinstance(value, (tuple, list)) else (value, value)
        if name == "padding":
            layer.pad_mode, sizes = "pad", (sizes[0], sizes[0], sizes[1], sizes[1])
        setattr(layer, name, sizes)
        layer.conv2d = mindspore.ops.Conv2D(
            out_channel=layer.out_channels,
            kernel_size=layer.kernel_size,
            pad_mode=layer.pad_mode,
            pad=layer.padding,
            stride=layer.stride,
            dilation=layer.dilation,
            group=layer.group,
            data_format=layer.data_format,
        )
