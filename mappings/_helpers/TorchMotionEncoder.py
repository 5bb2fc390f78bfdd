import mindspore


class TorchMotionEncoder(mindspore.nn.Cell):
    """torchvision's MotionEncoder of RAFT: features of the motion so far and of what agrees there."""

    def __init__(self, *, in_channels_corr, corr_layers=(256, 192), flow_layers=(128, 64), out_channels=128):
        super().__init__()

        def conv(channels, results, kernel_size):
            layer = mindspore.nn.Conv2d(
                channels, results, kernel_size, pad_mode="pad", padding=kernel_size // 2, has_bias=True
            )
            return mindspore.nn.SequentialCell(layer, mindspore.nn.ReLU())

        self.convcorr1 = conv(in_channels_corr, corr_layers[0], 1)
        self.convcorr2 = mindspore.nn.Identity() if len(corr_layers) == 1 else conv(*corr_layers, 3)
        self.convflow1 = conv(2, flow_layers[0], 7)
        self.convflow2 = conv(*flow_layers, 3)
        self.conv = conv(corr_layers[-1] + flow_layers[-1], out_channels - 2, 3)
        self.out_channels = out_channels

    def construct(self, flow, corr_features):
        seen = self.convcorr2(self.convcorr1(corr_features))
        moved = self.convflow2(self.convflow1(flow))
        return mindspore.ops.cat((self.conv(mindspore.ops.cat((seen, moved), 1)), flow), 1)
