import mindspore


class TorchRandomCrop:
    """Cuts a random part out of images of PIL, around which a border may be put before."""

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        modes = mindspore.dataset.vision.Border
        mode = {
            "constant": modes.CONSTANT,
            "edge": modes.EDGE,
            "reflect": modes.REFLECT,
            "symmetric": modes.SYMMETRIC,
        }
        self.transform = mindspore.dataset.vision.RandomCrop(
            size, padding, pad_if_needed, fill, mode[padding_mode]
        )

    def __call__(self, img):
        if not hasattr(img, "mode"):
            raise TypeError("this transform is ported for images of PIL: put it before ToTensor")
        return self.transform(img)

    @staticmethod
    def get_params(img, output_size):
        """A random part of a picture: its top, left, height and width."""
        import random  # in here: a file may call its function so (`from random import random`)

        width, height = img.size if hasattr(img, "mode") else img.shape[:-3:-1]
        rows, columns = output_size
        if height < rows or width < columns:
            raise ValueError(f"a part of {rows} x {columns} is larger than the picture of {height} x {width}")
        return random.randint(0, height - rows), random.randint(0, width - columns), rows, columns
