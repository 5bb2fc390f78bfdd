import mindspore
import numpy


class TorchFakeData:
    """Random images and labels, the same ones for the same index, as images of PIL."""

    def __init__(
        self,
        size=1000,
        image_size=(3, 224, 224),
        num_classes=10,
        transform=None,
        target_transform=None,
        random_offset=0,
    ):
        self.size = size
        self.image_size = image_size
        self.num_classes = num_classes
        self.transform = transform
        self.target_transform = target_transform
        self.random_offset = random_offset

    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError(f"{type(self).__name__} index out of range")
        draws = numpy.random.default_rng(self.random_offset + index)
        pixels = draws.integers(0, 256, self.image_size, "uint8")
        image, target = (
            mindspore.dataset.vision.ToPIL()(pixels.transpose(1, 2, 0)),
            int(draws.integers(self.num_classes)),
        )
        image = image if self.transform is None else self.transform(image)
        return image, target if self.target_transform is None else self.target_transform(target)

    def __len__(self):
        return self.size
