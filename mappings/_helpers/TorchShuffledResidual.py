import mindspore


class TorchShuffledResidual(mindspore.nn.Cell):
    """torchvision's InvertedResidual of ShuffleNetV2: half of the channels goes around, then they are mixed."""

    def __init__(self, inp, oup, stride):
        super().__init__()
        self.stride = stride
        features = oup // 2

        def point(channels):
            return (
                mindspore.nn.Conv2d(channels, features, 1, has_bias=False),
                mindspore.nn.BatchNorm2d(features),
                mindspore.nn.ReLU(),
            )

        def depthwise(channels):
            return (
                mindspore.nn.Conv2d(channels, channels, 3, stride, "pad", 1, group=channels, has_bias=False),
                mindspore.nn.BatchNorm2d(channels),
            )

        around = (*depthwise(inp), *point(inp)) if stride > 1 else ()
        self.branch1 = mindspore.nn.SequentialCell(*around)
        self.branch2 = mindspore.nn.SequentialCell(
            *point(inp if stride > 1 else features), *depthwise(features), *point(features)
        )
        self.set_train()

    def construct(self, x):
        if self.stride == 1:
            kept, x = mindspore.ops.chunk(x, 2, 1)
        else:
            kept = self.branch1(x)
        out = mindspore.ops.cat((kept, self.branch2(x)), 1)
        n, c, h, w = out.shape
        return out.reshape(n, 2, c // 2, h, w).swapaxes(1, 2).reshape(n, c, h, w)
