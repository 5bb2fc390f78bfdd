class TorchRandomApply:
    """Applies all of some transforms, or, with the rest of the probability, none."""

    def __init__(self, transforms, p=0.5):
        self.transforms = transforms
        self.p = p

    def __call__(self, img):
        import random  # in here: a file may call its function so (`from random import random`)

        for transform in self.transforms if random.random() < self.p else ():
            img = transform(img)
        return img
