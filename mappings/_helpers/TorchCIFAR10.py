import pathlib
import pickle

import mindspore


class TorchCIFAR10:
    """The images in the unpacked files of torchvision below root, as images of PIL; nothing is downloaded."""

    base_folder = "cifar-10-batches-py"
    # Each file with its checksum, which nobody asks for here.
    train_list = [[f"data_batch_{number}", None] for number in range(1, 6)]
    test_list = [["test_batch", None]]
    meta = {"filename": "batches.meta", "key": "label_names"}

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        self.root = root
        self.train = train
        self.transform = transform
        self.target_transform = target_transform
        batches = [self.read(name) for name, _ in (self.train_list if train else self.test_list)]
        key = "labels" if "labels" in batches[0] else "fine_labels"
        self.targets = [int(label) for batch in batches for label in batch[key]]
        data = mindspore.ops.cat([mindspore.Tensor(batch["data"]) for batch in batches]).asnumpy()
        self.data = data.reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
        self.classes = self.read(self.meta["filename"])[self.meta["key"]]
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

        with (pathlib.Path(self.root).expanduser() / self.base_folder / name).open("rb") as file:
            return Unpickler(file, encoding="latin1").load()

    def __getitem__(self, index):
        image, target = mindspore.dataset.vision.ToPIL()(self.data[index].copy()), self.targets[index]
        image = image if self.transform is None else self.transform(image)
        return image, target if self.target_transform is None else self.target_transform(target)

    def __len__(self):
        return len(self.targets)
