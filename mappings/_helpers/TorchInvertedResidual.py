import mindspore


class TorchInvertedResidual(mindspore.nn.Cell):
    """torchvision's InvertedResidual of MobileNetV2: many channels between few, and a way around them."""

    def __init__(self, inp, oup, stride, expand_ratio, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or mindspore.nn.BatchNorm2d
        hidden = round(inp * expand_ratio)

        def conv(channels, kernel_size, stride, group):
            layer = mindspore.nn.Conv2d(
                channels,
                hidden,
                kernel_size,
                stride,
                "pad",
                kernel_size // 2,
                group=group,
                has_bias=False,
            )
            return mindspore.nn.SequentialCell(layer, norm_layer(hidden), mindspore.nn.ReLU6())

        expand = [] if expand_ratio == 1 else [conv(inp, 1, 1, 1)]
        project = mindspore.nn.Conv2d(hidden, oup, 1, has_bias=False)
        self.conv = mindspore.nn.SequentialCell(
            *expand, conv(hidden, 3, stride, hidden), project, norm_layer(oup)
        )
        self.stride = stride
        self.use_res_connect = stride == 1 and inp == oup
        self.out_channels = oup
        self.set_train()

    def construct(self, x):
        return x + self.conv(x) if self.use_res_connect else self.conv(x)
