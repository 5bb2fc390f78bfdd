class TorchRandomOrder:
    """Applies some transforms in a random order."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        import random  # in here: a file may call its function so (`from random import random`)

        for transform in random.sample(list(self.transforms), len(self.transforms)):
            img = transform(img)
        return img
