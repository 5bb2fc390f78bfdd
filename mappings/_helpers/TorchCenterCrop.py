class TorchCenterCrop:
    """Cuts out the middle of images of PIL; around a smaller image it puts black."""

    def __init__(self, size):
        sizes = [size] if isinstance(size, int) else list(size)
        self.size = sizes[0], sizes[-1]

    def __call__(self, img):
        if not hasattr(img, "mode"):
            raise TypeError("this transform is ported for images of PIL: put it before ToTensor")
        left, top = (
            round((size - wanted) / 2) if wanted <= size else -((wanted - size) // 2)
            for size, wanted in zip(img.size, reversed(self.size))
        )
        return img.crop((left, top, left + self.size[1], top + self.size[0]))
