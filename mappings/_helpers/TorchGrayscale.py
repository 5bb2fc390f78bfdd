import mindspore


class TorchGrayscale:
    """Turns the colours of images of PIL into grey."""

    def __init__(self, num_output_channels=1):
        self.transform = mindspore.dataset.vision.Grayscale(num_output_channels)

    def __call__(self, img):
        if not hasattr(img, "mode"):
            raise TypeError("this transform is ported for images of PIL: put it before ToTensor")
        return self.transform(img)
