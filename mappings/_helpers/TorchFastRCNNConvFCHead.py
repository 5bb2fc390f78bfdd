import mindspore


class TorchFastRCNNConvFCHead(mindspore.nn.SequentialCell):
    """torchvision's FastRCNNConvFCHead: convolutions, then linear layers over the features of regions."""

    def __init__(self, input_size, conv_layers, fc_layers, norm_layer=None):
        channels, height, width = input_size
        blocks = []
        for size in conv_layers:
            conv = mindspore.nn.Conv2d(
                channels,
                size,
                3,
                pad_mode="pad",
                padding=1,
                has_bias=norm_layer is None,
                weight_init=mindspore.common.initializer.HeNormal(mode="fan_out", nonlinearity="relu"),
                bias_init="zeros",
            )
            norms = [] if norm_layer is None else [norm_layer(size)]
            blocks.append(mindspore.nn.SequentialCell(conv, *norms, mindspore.nn.ReLU()))
            channels = size
        blocks.append(mindspore.nn.Flatten())
        features = channels * height * width
        for size in fc_layers:
            blocks += [mindspore.nn.Dense(features, size), mindspore.nn.ReLU()]
            features = size
        super().__init__(*blocks)
        self.set_train()
