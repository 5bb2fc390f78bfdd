class TorchPad:
    """Adds a border to images of PIL and tensors."""

    def __init__(self, padding, fill=0, padding_mode="constant"):
        self.padding = padding
        self.fill = fill
        self.padding_mode = padding_mode

    def __call__(self, img):
        return torch_pad_image(img, self.padding, self.fill, self.padding_mode)
