import pathlib

import mindspore


class TorchMNIST:
    """The digits in the unpacked files below root/MNIST/raw, as images of PIL; nothing is downloaded."""

    folder = "MNIST"
    names = tuple(
        f"{digit} - {word}"
        for digit, word in enumerate(
            ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
        )
    )

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        start = pathlib.Path(root).expanduser() / self.folder / "raw" / ("train" if train else "t10k")
        self.images = self.read(f"{start}-images-idx3-ubyte", 16).reshape(-1, 28, 28)
        self.labels = self.read(f"{start}-labels-idx1-ubyte", 8)
        self.classes = list(self.names)
        self.class_to_idx = {name: index for index, name in enumerate(self.classes)}
        self.train = train
        self.transform = transform
        self.target_transform = target_transform

    @property
    def data(self):
        return mindspore.Tensor(self.images)

    @data.setter
    def data(self, value):
        self.images = mindspore.Tensor(value).asnumpy()

    @property
    def targets(self):
        return mindspore.Tensor(self.labels).astype(mindspore.int64)

    @targets.setter
    def targets(self, value):
        self.labels = mindspore.Tensor(value).asnumpy()

    train_data = test_data = data
    train_labels = test_labels = targets

    def read(self, path, header):
        """The bytes of a file behind its header, as a NumPy array."""
        content = pathlib.Path(path).read_bytes()[header:]
        array = mindspore.ops.zeros(len(content), mindspore.uint8).asnumpy().copy()
        array.data[:] = content
        return array

    def __getitem__(self, index):
        image, target = mindspore.dataset.vision.ToPIL()(self.images[index]), int(self.labels[index])
        image = image if self.transform is None else self.transform(image)
        return image, target if self.target_transform is None else self.target_transform(target)

    def __len__(self):
        return len(self.labels)
