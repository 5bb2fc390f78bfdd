import os
import pathlib


class TorchDatasetFolder:
    """What a function loads from the files of folders, each of which is a class, in the order of their names."""

    def __init__(
        self,
        root,
        loader,
        extensions=None,
        transform=None,
        target_transform=None,
        is_valid_file=None,
        allow_empty=False,
    ):
        if (extensions is None) == (is_valid_file is None):
            raise ValueError("DatasetFolder takes either extensions or is_valid_file")
        at_home = isinstance(root, str) and root.startswith("~")
        self.root = str(pathlib.Path(root).expanduser()) if at_home else root
        self.loader = loader
        self.extensions = extensions
        self.transform = transform
        self.target_transform = target_transform
        self.classes, self.class_to_idx = self.find_classes(self.root)
        ends = tuple(extensions or ()) if not isinstance(extensions, str) else extensions
        is_sample = is_valid_file or (lambda path: path.lower().endswith(ends))
        start = os.fspath(self.root).rstrip(os.sep)
        self.samples = [
            (f"{folder}{os.sep}{name}", self.class_to_idx[label])
            for label in sorted(self.class_to_idx)
            for folder, _, names in sorted(os.walk(f"{start}{os.sep}{label}", followlinks=True))
            for name in sorted(names)
            if is_sample(f"{folder}{os.sep}{name}")
        ]
        self.targets = [target for _, target in self.samples]
        empty = [name for name in sorted(self.class_to_idx) if self.class_to_idx[name] not in self.targets]
        if empty and not allow_empty:
            raise FileNotFoundError(f"Found no valid file for the classes {', '.join(empty)}.")

    def find_classes(self, directory):
        """The names of the folders, and the number of each."""
        classes = sorted(entry.name for entry in os.scandir(directory) if entry.is_dir())
        if not classes:
            raise FileNotFoundError(f"Couldn't find any class folder in {directory}.")
        return classes, {name: index for index, name in enumerate(classes)}

    def __getitem__(self, index):
        path, target = self.samples[index]
        sample = self.loader(path)
        sample = sample if self.transform is None else self.transform(sample)
        return sample, target if self.target_transform is None else self.target_transform(target)

    def __len__(self):
        return len(self.samples)
