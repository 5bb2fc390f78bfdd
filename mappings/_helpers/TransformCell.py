class TransformCell(mindspore.nn.Cell):
    """A transform of images that stands among layers."""

    def __init__(self, transform):
        super().__init__()
        self.transform = transform

    def construct(self, images):
        return self.transform(images)
