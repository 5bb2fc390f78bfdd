import mindspore


class TorchFire(mindspore.nn.Cell):
    """torchvision's Fire: few channels, then many of 1x1 and 3x3 convolutions side by side."""

    def __init__(self, inplanes, squeeze_planes, expand1x1_planes, expand3x3_planes):
        super().__init__()
        self.squeeze = mindspore.nn.Conv2d(inplanes, squeeze_planes, 1, has_bias=True)
        self.expand1x1 = mindspore.nn.Conv2d(squeeze_planes, expand1x1_planes, 1, has_bias=True)
        self.expand3x3 = mindspore.nn.Conv2d(
            squeeze_planes, expand3x3_planes, 3, pad_mode="pad", padding=1, has_bias=True
        )

    def construct(self, x):
        x = mindspore.ops.relu(self.squeeze(x))
        return mindspore.ops.cat(
            (mindspore.ops.relu(self.expand1x1(x)), mindspore.ops.relu(self.expand3x3(x))), 1
        )
