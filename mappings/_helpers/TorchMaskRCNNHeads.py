import mindspore


class TorchMaskRCNNHeads(mindspore.nn.SequentialCell):
    """torchvision's MaskRCNNHeads: convolutions over the features of regions."""

    def __init__(self, in_channels, layers, dilation, norm_layer=None):
        blocks = []
        for channels in layers:
            conv = mindspore.nn.Conv2d(
                in_channels,
                channels,
                3,
                pad_mode="pad",
                padding=dilation,
                dilation=dilation,
                has_bias=norm_layer is None,
                weight_init=mindspore.common.initializer.HeNormal(mode="fan_out", nonlinearity="relu"),
                bias_init="zeros",
            )
            norms = [] if norm_layer is None else [norm_layer(channels)]
            blocks.append(mindspore.nn.SequentialCell(conv, *norms, mindspore.nn.ReLU()))
            in_channels = channels
        super().__init__(*blocks)
        self.set_train()
