import mindspore


class TorchResize:
    """Resizes images of PIL; one number is the length of the shorter edge."""

    def __init__(
        self, size, interpolation=mindspore.dataset.vision.Inter.BILINEAR, max_size=None, antialias=True
    ):
        if max_size is not None:
            raise NotImplementedError("max_size is not ported")
        self.size = size
        self.interpolation = interpolation

    def __call__(self, img):
        if not hasattr(img, "mode"):
            raise TypeError("this transform is ported for images of PIL: put it before ToTensor")
        if isinstance(self.interpolation, mindspore.dataset.vision.Inter):
            return mindspore.dataset.vision.Resize(self.size, self.interpolation)(img)
        # A number of PIL, or what MindSpore has no name for.
        sizes = [self.size] if isinstance(self.size, int) else list(self.size)
        if len(sizes) == 1:
            sizes = [int(sizes[0] * length / min(img.size)) for length in (img.height, img.width)]
        filters = {"nearest-exact": 0, "lanczos": 1, "box": 4, "hamming": 5}
        return img.resize(sizes[::-1], filters.get(self.interpolation, self.interpolation))
