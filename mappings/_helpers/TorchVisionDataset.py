import pathlib


class TorchVisionDataset:
    """What data sets of images derive from: it keeps their folder, and what is done with images and targets."""

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        if transforms is not None and not (transform is None and target_transform is None):
            raise ValueError("Only transforms or transform/target_transform can be passed as argument")
        at_home = isinstance(root, str) and root.startswith("~")
        self.root = str(pathlib.Path(root).expanduser()) if at_home else root
        self.transform = transform
        self.target_transform = target_transform
        self.transforms = transforms
        if not (transform is None and target_transform is None):
            self.transforms = self.transform_both

    def transform_both(self, image, target):
        """An image and its target after what is done with each."""
        image = image if self.transform is None else self.transform(image)
        return image, target if self.target_transform is None else self.target_transform(target)

    def __getitem__(self, index):
        raise NotImplementedError

    def __len__(self):
        raise NotImplementedError
