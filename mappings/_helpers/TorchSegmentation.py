import mindspore


class TorchSegmentation(mindspore.nn.Cell):
    """torchvision's DeepLabV3 and FCN: a head, and perhaps a second one, on the maps of a network."""

    def __init__(self, backbone, classifier, aux_classifier=None):
        super().__init__()
        self.backbone = backbone
        self.classifier = classifier
        self.aux_classifier = aux_classifier
        self.set_train()

    def construct(self, x):
        features = self.backbone(x)
        heads = {"out": self.classifier}
        if self.aux_classifier is not None:
            heads["aux"] = self.aux_classifier
        return {
            name: mindspore.ops.interpolate(
                head(features[name]), size=x.shape[-2:], mode="bilinear", align_corners=False
            )
            for name, head in heads.items()
        }
