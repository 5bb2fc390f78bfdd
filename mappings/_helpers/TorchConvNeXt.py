import mindspore


class TorchConvNeXt(mindspore.nn.Cell):
    """torchvision's ConvNeXt, with its names of layers and its initial weights."""

    def __init__(
        self,
        block_setting,
        stochastic_depth_prob=0.0,
        layer_scale=1e-6,
        num_classes=1000,
        block=None,
        norm_layer=None,
    ):
        super().__init__()
        block = block or TorchCNBlock
        norm = norm_layer or (lambda channels: TorchLayerNorm2d(channels, eps=1e-6))
        channels = block_setting[0].input_channels
        stem = mindspore.nn.Conv2d(3, channels, 4, 4, "valid", has_bias=True)
        layers = [mindspore.nn.SequentialCell(stem, norm(channels))]
        last, number = sum(stage.num_layers for stage in block_setting) - 1.0, 0
        for stage in block_setting:
            blocks = []
            for _ in range(stage.num_layers):
                blocks.append(block(stage.input_channels, layer_scale, stochastic_depth_prob * number / last))
                number += 1
            layers.append(mindspore.nn.SequentialCell(*blocks))
            channels = stage.input_channels
            if stage.out_channels is not None:
                conv = mindspore.nn.Conv2d(channels, stage.out_channels, 2, 2, "valid", has_bias=True)
                layers.append(mindspore.nn.SequentialCell(norm(channels), conv))
                channels = stage.out_channels
        self.features = mindspore.nn.SequentialCell(*layers)
        self.classifier = mindspore.nn.SequentialCell(
            norm(channels), mindspore.nn.Flatten(), mindspore.nn.Dense(channels, num_classes)
        )
        start = mindspore.common.initializer.TruncatedNormal(0.02)
        for _, cell in self.cells_and_names():
            if isinstance(cell, (mindspore.nn.Conv2d, mindspore.nn.Dense)):
                weight = mindspore.common.initializer.initializer(start, cell.weight.shape, cell.weight.dtype)
                cell.weight.set_data(weight)
                cell.bias.set_data(mindspore.ops.zeros_like(cell.bias))
        self.set_train()

    def construct(self, x):
        return self.classifier(self.features(x).mean((2, 3), True))
