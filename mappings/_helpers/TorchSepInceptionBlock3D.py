import mindspore


class TorchSepInceptionBlock3D(mindspore.nn.Cell):
    """torchvision's SepInceptionBlock3D: four ways through video side by side."""

    def __init__(self, in_planes, b0_out, b1_mid, b1_out, b2_mid, b2_out, b3_out, norm_layer):
        super().__init__()

        def point(channels):
            return mindspore.nn.SequentialCell(
                mindspore.nn.Conv3d(in_planes, channels, 1, has_bias=False),
                norm_layer(channels),
                mindspore.nn.ReLU(),
            )

        def separable(middle, channels):
            return mindspore.nn.SequentialCell(
                point(middle), TorchTemporalSeparableConv(middle, channels, 3, 1, 1, norm_layer)
            )

        self.branch0 = point(b0_out)
        self.branch1 = separable(b1_mid, b1_out)
        self.branch2 = separable(b2_mid, b2_out)
        self.branch3 = mindspore.nn.SequentialCell(
            mindspore.nn.MaxPool3d(3, 1, pad_mode="pad", padding=1), point(b3_out)
        )
        self.set_train()

    def construct(self, x):
        return mindspore.ops.cat((self.branch0(x), self.branch1(x), self.branch2(x), self.branch3(x)), 1)
