class TorchImageList:
    """torchvision's ImageList: images padded to one size in a batch, with the sizes that they had."""

    def __init__(self, tensors, image_sizes):
        self.tensors = tensors
        self.image_sizes = image_sizes

    def to(self, device):
        return self
