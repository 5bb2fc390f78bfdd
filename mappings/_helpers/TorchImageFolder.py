import pathlib

import mindspore


class TorchImageFolder(TorchDatasetFolder):
    """Images of PIL from folders, each of which is a class, in the order of their names."""

    def __init__(
        self,
        root,
        transform=None,
        target_transform=None,
        loader=None,
        is_valid_file=None,
        allow_empty=False,
    ):
        ends = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")
        super().__init__(
            root,
            loader or self.load,
            ends if is_valid_file is None else None,
            transform,
            target_transform,
            is_valid_file,
            allow_empty,
        )
        self.imgs = self.samples

    def load(self, path):
        """The colours of an image file."""
        content = pathlib.Path(path).read_bytes()
        return mindspore.dataset.vision.Decode(to_pil=True)(content).convert("RGB")
