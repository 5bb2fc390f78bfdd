class TorchToPILImage:
    """An image of PIL of a tensor (channels, height, width; numbers from 0 to 1 become bytes) or of an array (height,
    width, channels)."""

    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, pic):
        return torch_to_pil_image(pic, self.mode)
