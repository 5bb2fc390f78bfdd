import math

import mindspore


class TorchRandomResizedCrop:
    """Cuts a random part out of images of PIL and tensors and resizes it."""

    def __init__(
        self,
        size,
        scale=(0.08, 1.0),
        ratio=(3 / 4, 4 / 3),
        interpolation=mindspore.dataset.vision.Inter.BILINEAR,
        antialias=True,
    ):
        self.size = (size, size) if isinstance(size, int) else size
        self.scale = scale
        self.ratio = ratio
        self.interpolation = interpolation
        self.antialias = antialias

    def __call__(self, img):
        part = self.get_params(img, self.scale, self.ratio)
        return torch_resized_crop(img, *part, self.size, self.interpolation, self.antialias)

    @staticmethod
    def get_params(img, scale, ratio):
        """A random part of a picture, of a share of its area and a ratio of its sides: top, left, height and width."""
        import random  # in here: a file may call its function so (`from random import random`)

        width, height = img.size if hasattr(img, "mode") else img.shape[:-3:-1]
        for _ in range(10):
            area = height * width * random.uniform(*scale)
            sides = math.exp(random.uniform(*map(math.log, ratio)))
            columns, rows = round(math.sqrt(area * sides)), round(math.sqrt(area / sides))
            if 0 < columns <= width and 0 < rows <= height:
                return random.randint(0, height - rows), random.randint(0, width - columns), rows, columns
        sides = min(max(width / height, min(ratio)), max(ratio))  # the largest part in the middle
        columns, rows = min(width, round(height * sides)), min(height, round(width / sides))
        return (height - rows) // 2, (width - columns) // 2, rows, columns
