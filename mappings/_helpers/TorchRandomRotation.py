import mindspore


class TorchRandomRotation:
    """Turns images of PIL and tensors by a random angle."""

    def __init__(
        self,
        degrees,
        interpolation=mindspore.dataset.vision.Inter.NEAREST,
        expand=False,
        center=None,
        fill=0,
    ):
        self.degrees = (-degrees, degrees) if isinstance(degrees, (int, float)) else degrees
        self.interpolation = interpolation
        self.expand = expand
        self.center = center
        self.fill = 0 if fill is None else fill

    @staticmethod
    def get_params(degrees):
        """An angle between two."""
        import random  # in here: a file may call its function so (`from random import random`)

        return random.uniform(*degrees)

    def __call__(self, img):
        angle = self.get_params(self.degrees)
        return torch_rotate_image(img, angle, self.interpolation, self.expand, self.center, self.fill)
