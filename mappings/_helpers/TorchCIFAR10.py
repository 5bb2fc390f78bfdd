import pathlib
import pickle

import mindspore


class TorchCIFAR10:
    """The images in the unpacked files of torchvision below root, as images of PIL; nothing is downloaded."""

    folder = "cifar-10-batches-py"
    train_files = tuple(f"data_batch_{number}" for number in range(1, 6))
    test_files = ("test_batch",)
    label_key = "labels"
    meta_file, name_key = "batches.meta", "label_names"

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        self.root = root
        self.train = train
        self.transform = transform
        self.target_transform = target_transform
        batches = [self.read(name) for name in (self.train_files if train else self.test_files)]
        self.targets = [int(label) for batch in batches for label in batch[self.label_key]]
        data = mindspore.ops.cat([mindspore.Tensor(batch["data"]) for batch in batches]).asnumpy()
        self.data = data.reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
        self.classes = self.read(self.meta_file)[self.name_key]
        self.class_to_idx = {name: index for index, name in enumerate(self.classes)}

    def read(self, name):
        """The dictionary in a file; of all that a pickle can hold only arrays and plain values are read."""

        class Unpickler(pickle.Unpickler):
            def find_class(self, module, name):
                if module.partition(".")[0] == "numpy" and name in (
                    "_reconstruct",
                    "ndarray",
                    "dtype",
                    "scalar",
                ):
                    return super().find_class(module, name)
                if (module, name) in (("_codecs", "encode"), ("collections", "OrderedDict")):
                    return super().find_class(module, name)
                raise pickle.UnpicklingError(f"{module}.{name} is no part of the data set")

        with (pathlib.Path(self.root).expanduser() / self.folder / name).open("rb") as file:
            return Unpickler(file, encoding="latin1").load()

    def __getitem__(self, index):
        image, target = mindspore.dataset.vision.ToPIL()(self.data[index].copy()), self.targets[index]
        image = image if self.transform is None else self.transform(image)
        return image, target if self.target_transform is None else self.target_transform(target)

    def __len__(self):
        return len(self.targets)
