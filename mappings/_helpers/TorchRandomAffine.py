import mindspore


class TorchRandomAffine:
    """Turns, moves, scales and shears images of PIL and tensors at random."""

    def __init__(
        self,
        degrees,
        translate=None,
        scale=None,
        shear=None,
        interpolation=mindspore.dataset.vision.Inter.NEAREST,
        fill=0,
        center=None,
    ):
        self.degrees = (-degrees, degrees) if isinstance(degrees, (int, float)) else degrees
        self.translate = translate
        self.scale = scale
        self.shear = (-shear, shear) if isinstance(shear, (int, float)) else shear
        self.interpolation = interpolation
        self.fill = 0 if fill is None else fill
        self.center = center

    @staticmethod
    def get_params(degrees, translate, scale_ranges, shears, img_size):
        """An angle, how far to move, a scale and two angles of shearing, within these bounds."""
        import random  # in here: a file may call its function so (`from random import random`)

        angle = random.uniform(*degrees)
        far = [share * length for share, length in zip(translate or (0, 0), img_size)]
        translations = tuple(round(random.uniform(-most, most)) for most in far)
        scale = random.uniform(*scale_ranges) if scale_ranges else 1.0
        bounds = [*(shears or ()), 0.0, 0.0, 0.0, 0.0]
        return angle, translations, scale, (random.uniform(*bounds[:2]), random.uniform(*bounds[2:4]))

    def __call__(self, img):
        size = img.size if hasattr(img, "mode") else img.shape[:-3:-1]
        drawn = self.get_params(self.degrees, self.translate, self.scale, self.shear, size)
        return torch_affine_image(img, *drawn, self.interpolation, self.fill, self.center)
