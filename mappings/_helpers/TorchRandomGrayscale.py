class TorchRandomGrayscale:
    """Turns the colours of images of PIL and tensors into grey with a probability; there are as many as before."""

    def __init__(self, p=0.1):
        self.p = p

    def __call__(self, img):
        import random  # in here: a file may call its function so (`from random import random`)

        if random.random() >= self.p:
            return img
        channels = len(img.getbands()) if hasattr(img, "mode") else img.shape[-3]
        return img if channels == 1 else torch_to_grayscale(img, channels)
