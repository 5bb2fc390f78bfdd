class TorchGrayscale:
    """Turns the colours of images of PIL and tensors into grey."""

    def __init__(self, num_output_channels=1):
        self.num_output_channels = num_output_channels

    def __call__(self, img):
        return torch_to_grayscale(img, self.num_output_channels)
