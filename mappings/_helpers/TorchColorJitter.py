class TorchColorJitter:
    """Changes brightness, contrast, saturation and hue of images of PIL and tensors at random, in any order."""

    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0):
        self.steps = [
            (torch_adjust_brightness, self.factors(brightness, 1)),
            (torch_adjust_contrast, self.factors(contrast, 1)),
            (torch_adjust_saturation, self.factors(saturation, 1)),
            (torch_adjust_hue, self.factors(hue, 0)),
        ]

    def factors(self, amount, centre):
        """The least and the greatest factor; None where nothing changes."""
        if isinstance(amount, (int, float)):
            amount = (max(0, 1 - amount) if centre else -amount, centre + amount)
        return None if amount is None or tuple(amount) == (centre, centre) else amount

    def __call__(self, img):
        import random  # in here: a file may call its function so (`from random import random`)

        for adjust, factors in random.sample(self.steps, len(self.steps)):
            if factors is not None:
                img = adjust(img, random.uniform(*factors))
        return img

    @staticmethod
    def get_params(brightness, contrast, saturation, hue):
        """The order of the four steps, and a factor between two bounds for each; None where nothing changes."""
        import random

        drawn = [bounds and random.uniform(*bounds) for bounds in (brightness, contrast, saturation, hue)]
        return (random.sample(range(4), 4), *drawn)
