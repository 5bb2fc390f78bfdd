import mindspore


class TorchResize:
    """Resizes images of PIL; one number is the length of the shorter edge."""

    def __init__(
        self, size, interpolation=mindspore.dataset.vision.Inter.BILINEAR, max_size=None, antialias=True
    ):
        if max_size is not None:
            raise NotImplementedError("max_size is not ported")
        self.transform = mindspore.dataset.vision.Resize(size, interpolation)

    def __call__(self, img):
        if not hasattr(img, "mode"):
            raise TypeError("this transform is ported for images of PIL: put it before ToTensor")
        return self.transform(img)
