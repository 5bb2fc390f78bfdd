import mindspore


class TorchRaftFeatureEncoder(mindspore.nn.Cell):
    """torchvision's FeatureEncoder of RAFT: features of images, one eighth as large."""

    def __init__(
        self,
        *,
        block=None,
        layers=(64, 64, 96, 128, 256),
        strides=(2, 1, 2, 2),
        norm_layer=mindspore.nn.BatchNorm2d,
    ):
        super().__init__()
        block = block or TorchRaftResidualBlock
        self.convnormrelu = mindspore.nn.SequentialCell(
            mindspore.nn.Conv2d(3, layers[0], 7, strides[0], "pad", 3, has_bias=True),
            norm_layer(layers[0]),
            mindspore.nn.ReLU(),
        )

        def pair(channels, results, stride):
            first = block(channels, results, norm_layer=norm_layer, stride=stride)
            return mindspore.nn.SequentialCell(
                first, block(results, results, norm_layer=norm_layer, stride=1)
            )

        self.layer1 = pair(layers[0], layers[1], strides[1])
        self.layer2 = pair(layers[1], layers[2], strides[2])
        self.layer3 = pair(layers[2], layers[3], strides[3])
        self.conv = mindspore.nn.Conv2d(layers[3], layers[4], 1, has_bias=True)
        self.output_dim = layers[-1]
        self.downsample_factor = strides[0] * strides[1] * strides[2] * strides[3]
        self.set_train()

    def construct(self, x):
        return self.conv(self.layer3(self.layer2(self.layer1(self.convnormrelu(x)))))
