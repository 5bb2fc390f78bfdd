import mindspore


class TorchElasticTransform:
    """Distorts images of PIL: noise that is smoothed by sigma moves each pixel, the more the larger alpha is."""

    def __init__(self, alpha=50.0, sigma=5.0, interpolation=mindspore.dataset.vision.Inter.BILINEAR, fill=0):
        self.alpha = self.pair(alpha)
        self.sigma = self.pair(sigma)
        modes = mindspore.dataset.vision.Inter
        self.mode = {modes.NEAREST: "nearest", modes.BILINEAR: "bilinear"}[interpolation]
        self.fill = fill if isinstance(fill, (tuple, list)) else [fill]

    @staticmethod
    def pair(value):
        value = list(value) if isinstance(value, (tuple, list)) else [value]
        return value * 2 if len(value) == 1 else value

    def noise(self, height, width, sigma):
        values = mindspore.ops.rand(1, 1, height, width) * 2 - 1
        if sigma > 0:
            reach = int(8 * sigma + 1) // 2
            places = mindspore.ops.arange(-reach, reach + 1).astype(mindspore.float32)
            across, down = (mindspore.ops.exp(-0.5 * (places / sigma) ** 2) for sigma in self.sigma)
            values = mindspore.ops.pad(values, (reach, reach, reach, reach), mode="reflect")
            values = mindspore.ops.conv2d(values, (across / across.sum()).reshape(1, 1, 1, -1))
            values = mindspore.ops.conv2d(values, (down / down.sum()).reshape(1, 1, -1, 1))
        return values[0, 0]

    def __call__(self, img):
        if not hasattr(img, "mode"):
            raise TypeError("this transform is ported for images of PIL: put it before ToTensor")
        pixels = mindspore.tensor(mindspore.dataset.vision.ToTensor()(img)).expand_dims(0) * 255
        height, width = pixels.shape[2:]
        x = (mindspore.ops.arange(width) * 2 + 1 - width) / width
        y = (mindspore.ops.arange(height) * 2 + 1 - height) / height
        x = x.reshape(1, -1) + self.noise(height, width, self.sigma[0]) * (self.alpha[0] / width)
        y = y.reshape(-1, 1) + self.noise(height, width, self.sigma[1]) * (self.alpha[1] / height)
        grid = mindspore.ops.stack((x, y), -1).expand_dims(0)
        moved = mindspore.ops.grid_sample(pixels, grid, mode=self.mode, align_corners=False)
        inside = mindspore.ops.grid_sample(
            mindspore.ops.ones_like(pixels), grid, mode=self.mode, align_corners=False
        )
        fill = mindspore.tensor([float(value) for value in self.fill]).reshape(1, -1, 1, 1)
        moved = mindspore.ops.round(moved * inside + (1 - inside) * fill).astype(mindspore.uint8)
        moved = moved[0, 0] if img.mode == "L" else moved[0].permute(1, 2, 0)
        return mindspore.dataset.vision.ToPIL()(moved.asnumpy())
