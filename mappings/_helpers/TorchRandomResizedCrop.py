import mindspore


class TorchRandomResizedCrop:
    """Cuts a random part out of images of PIL and resizes it."""

    def __init__(
        self,
        size,
        scale=(0.08, 1.0),
        ratio=(3 / 4, 4 / 3),
        interpolation=mindspore.dataset.vision.Inter.BILINEAR,
        antialias=True,
    ):
        self.transform = mindspore.dataset.vision.RandomResizedCrop(
            size, scale, ratio, mindspore.dataset.vision.Inter(interpolation)
        )

    def __call__(self, img):
        if not hasattr(img, "mode"):
            raise TypeError("this transform is ported for images of PIL: put it before ToTensor")
        return self.transform(img)
