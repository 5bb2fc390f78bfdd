class TorchRandomVerticalFlip:
    """Mirrors top and bottom of images of PIL and tensors with a probability."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        import random  # in here: a file may call its function so (`from random import random`)

        return torch_vflip(img) if random.random() < self.p else img
