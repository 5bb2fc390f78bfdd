import mindspore


class TorchKeypointRCNNHeads(mindspore.nn.SequentialCell):
    """torchvision's KeypointRCNNHeads: convolutions over the features of regions."""

    def __init__(self, in_channels, layers):
        blocks = []
        for channels in layers:
            conv = mindspore.nn.Conv2d(
                in_channels,
                channels,
                3,
                pad_mode="pad",
                padding=1,
                has_bias=True,
                weight_init=mindspore.common.initializer.HeNormal(mode="fan_out", nonlinearity="relu"),
                bias_init="zeros",
            )
            blocks += [conv, mindspore.nn.ReLU()]
            in_channels = channels
        super().__init__(*blocks)
