import mindspore


class TorchLayerNorm2d(mindspore.nn.LayerNorm):
    """torchvision's LayerNorm2d: normalises the channels of images at every place."""

    def __init__(self, normalized_shape, eps=1e-5):
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        super().__init__(shape, epsilon=eps)

    def construct(self, x):
        return super().construct(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
