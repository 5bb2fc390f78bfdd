import mindspore


class TorchRandomVerticalFlip:
    """Mirrors top and bottom of images of PIL with a probability."""

    def __init__(self, p=0.5):
        self.transform = mindspore.dataset.vision.RandomVerticalFlip(p)

    def __call__(self, img):
        if not hasattr(img, "mode"):
            raise TypeError("this transform is ported for images of PIL: put it before ToTensor")
        return self.transform(img)
