import mindspore


class TorchLRASPP(mindspore.nn.Cell):
    """torchvision's LRASPP: a head on the fine and the coarse maps of a network."""

    def __init__(self, backbone, low_channels, high_channels, num_classes, inter_channels=128):
        super().__init__()
        self.backbone = backbone
        self.classifier = TorchLRASPPHead(low_channels, high_channels, num_classes, inter_channels)
        self.set_train()

    def construct(self, input):
        out = self.classifier(self.backbone(input))
        out = mindspore.ops.interpolate(out, size=input.shape[-2:], mode="bilinear", align_corners=False)
        return {"out": out}
