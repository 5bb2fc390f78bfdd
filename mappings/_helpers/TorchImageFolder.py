import os
import pathlib

import mindspore


class TorchImageFolder:
    """Images of PIL from folders, each of which is a class, in the order of their names."""

    extensions = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")

    def __init__(self, root, transform=None, target_transform=None, loader=None, is_valid_file=None):
        self.root = root
        self.transform = transform
        self.target_transform = target_transform
        self.loader = loader or self.load
        self.classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
        if not self.classes:
            raise FileNotFoundError(f"Couldn't find any class folder in {root}.")
        self.class_to_idx = {name: index for index, name in enumerate(self.classes)}
        is_image = is_valid_file or (lambda path: path.lower().endswith(self.extensions))
        start = os.fspath(root).rstrip(os.sep)
        self.samples = [
            (f"{folder}{os.sep}{name}", self.class_to_idx[label])
            for label in self.classes
            for folder, _, names in sorted(os.walk(f"{start}{os.sep}{label}", followlinks=True))
            for name in sorted(names)
            if is_image(f"{folder}{os.sep}{name}")
        ]
        empty = set(self.class_to_idx.values()) - {target for _, target in self.samples}
        if empty:
            raise FileNotFoundError(
                f"Found no valid file for the classes {sorted(self.classes[i] for i in empty)}."
            )
        self.imgs = self.samples
        self.targets = [target for _, target in self.samples]

    def load(self, path):
        """The colours of an image file."""
        content = pathlib.Path(path).read_bytes()
        return mindspore.dataset.vision.Decode(to_pil=True)(content).convert("RGB")

    def __getitem__(self, index):
        path, target = self.samples[index]
        image = self.loader(path)
        image = image if self.transform is None else self.transform(image)
        return image, target if self.target_transform is None else self.target_transform(target)

    def __len__(self):
        return len(self.samples)
