import mindspore


class TorchASPP(mindspore.nn.Cell):
    """torchvision's ASPP: convolutions that reach to several distances, side by side."""

    def __init__(self, in_channels, atrous_rates, out_channels=256):
        super().__init__()

        def point(channels):
            return (
                mindspore.nn.Conv2d(channels, out_channels, 1, has_bias=False),
                mindspore.nn.BatchNorm2d(out_channels),
                mindspore.nn.ReLU(),
            )

        dilated = [TorchASPPConv(in_channels, out_channels, rate) for rate in atrous_rates]
        first = mindspore.nn.SequentialCell(*point(in_channels))
        self.convs = mindspore.nn.CellList([first, *dilated, TorchASPPPooling(in_channels, out_channels)])
        self.project = mindspore.nn.SequentialCell(
            *point(len(self.convs) * out_channels), mindspore.nn.Dropout(p=0.5)
        )
        self.set_train()

    def construct(self, x):
        return self.project(mindspore.ops.cat([conv(x) for conv in self.convs], 1))
