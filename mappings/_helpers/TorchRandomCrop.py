class TorchRandomCrop:
    """Cuts a random part out of images of PIL and tensors, around which a border may be put before."""

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        self.size = (size, size) if isinstance(size, int) else tuple(size)
        self.padding = padding
        self.pad_if_needed = pad_if_needed
        self.fill = fill
        self.padding_mode = padding_mode

    def __call__(self, img):
        if self.padding is not None:
            img = torch_pad_image(img, self.padding, self.fill, self.padding_mode)
        if self.pad_if_needed:
            width, height = img.size if hasattr(img, "mode") else img.shape[:-3:-1]
            sides = (max(self.size[1] - width, 0), max(self.size[0] - height, 0))
            img = torch_pad_image(img, sides, self.fill, self.padding_mode) if any(sides) else img
        return torch_crop_image(img, *self.get_params(img, self.size))

    @staticmethod
    def get_params(img, output_size):
        """A random part of a picture: its top, left, height and width."""
        import random  # in here: a file may call its function so (`from random import random`)

        width, height = img.size if hasattr(img, "mode") else img.shape[:-3:-1]
        rows, columns = output_size
        if height < rows or width < columns:
            raise ValueError(f"a part of {rows} x {columns} is larger than the picture of {height} x {width}")
        return random.randint(0, height - rows), random.randint(0, width - columns), rows, columns
