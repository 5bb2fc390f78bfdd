import pathlib

import mindspore


class TorchMNIST:
    """The digits in the unpacked files below root/MNIST/raw, as images of PIL; nothing is downloaded."""

    folder = "MNIST"
    names = "0 - zero,1 - one,2 - two,3 - three,4 - four,5 - five,6 - six,7 - seven,8 - eight,9 - nine"

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        self.root = root
        self.train = train
        self.transform = transform
        self.target_transform = target_transform
        start = pathlib.Path(root).expanduser() / self.folder / "raw" / ("train" if train else "t10k")
        self.data = self.read(f"{start}-images-idx3-ubyte", 16).reshape(-1, 28, 28)
        self.targets = self.read(f"{start}-labels-idx1-ubyte", 8).astype(mindspore.int64)

    classes = property(lambda self: self.names.split(","))
    class_to_idx = property(lambda self: {name: index for index, name in enumerate(self.classes)})
    # What torchvision called them before 0.3.
    train_data = test_data = property(lambda self: self.data)
    train_labels = test_labels = property(lambda self: self.targets)

    def read(self, path, header):
        """The bytes of a file behind its header."""
        content = pathlib.Path(path).read_bytes()[header:]
        array = mindspore.ops.zeros(len(content), mindspore.uint8).asnumpy().copy()
        array.data[:] = content
        return mindspore.Tensor(array)

    def __getitem__(self, index):
        # A tensor takes longer to give one row than NumPy does; a project may have put something else here.
        data, targets = (
            value.asnumpy() if isinstance(value, mindspore.Tensor) else value
            for value in (self.data, self.targets)
        )
        image, target = mindspore.dataset.vision.ToPIL()(data[index]), int(targets[index])
        image = image if self.transform is None else self.transform(image)
        return image, target if self.target_transform is None else self.target_transform(target)

    def __len__(self):
        return len(self.data)
