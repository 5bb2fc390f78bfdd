import mindspore


class TorchResize:
    """Resizes images of PIL and tensors; one number is the length of the shorter edge."""

    def __init__(
        self, size, interpolation=mindspore.dataset.vision.Inter.BILINEAR, max_size=None, antialias=True
    ):
        if max_size is not None:
            raise NotImplementedError("max_size is not ported")
        self.size = size
        self.interpolation = interpolation
        self.antialias = antialias

    def __call__(self, img):
        if not hasattr(img, "mode"):
            return self.resized_tensor(img)
        if isinstance(self.interpolation, mindspore.dataset.vision.Inter):
            size = self.size if isinstance(self.size, int) or len(self.size) > 1 else self.size[0]
            return mindspore.dataset.vision.Resize(size, self.interpolation)(img)
        # A number of PIL, or what MindSpore has no name for.
        sizes = self.sizes(img.height, img.width)
        filters = {"nearest-exact": 0, "lanczos": 1, "box": 4, "hamming": 5}
        return img.resize(sizes[::-1], filters.get(self.interpolation, self.interpolation))

    def sizes(self, *lengths):
        """The height and the width that an image of this height and width gets."""
        sizes = [self.size] if isinstance(self.size, int) else list(self.size)
        if len(sizes) == 1:
            sizes = [int(sizes[0] * length / min(lengths)) for length in lengths]
        return sizes

    def resized_tensor(self, img):
        kind = getattr(self.interpolation, "value", self.interpolation)
        mode = {0: "nearest", 2: "bilinear", 3: "bicubic", "nearest-exact": "nearest-exact"}[kind]
        height, width = sizes = self.sizes(*img.shape[-2:])
        planes = img.reshape((1, -1, *img.shape[-2:])).astype(mindspore.float32)
        if mode.startswith("nearest"):
            planes = mindspore.ops.interpolate(planes, size=tuple(sizes), mode=mode)
        elif self.antialias:
            planes = torch_interpolate_antialiased(planes, size=sizes, mode=mode)
        else:
            planes = mindspore.ops.interpolate(planes, size=tuple(sizes), mode=mode, align_corners=False)
        if not img.is_floating_point():
            planes = planes.round().clamp(0, 255)
        return planes.reshape((*img.shape[:-2], height, width)).astype(img.dtype)
