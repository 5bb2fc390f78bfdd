class TorchRandomChoice:
    """Applies one of some transforms, chosen with the weights `p`, or all alike."""

    def __init__(self, transforms, p=None):
        self.transforms = transforms
        self.p = p

    def __call__(self, *args):
        import random  # in here: a file may call its function so (`from random import random`)

        return random.choices(self.transforms, self.p)[0](*args)
