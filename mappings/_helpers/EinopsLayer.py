import mindspore


class EinopsLayer(mindspore.nn.Cell):
    """Rearrange and Reduce of einops as a layer."""

    def __init__(self, pattern, reduction=None, **sizes):
        super().__init__()
        self.pattern = pattern
        self.reduction = reduction
        self.sizes = sizes

    def construct(self, tensor):
        return einops_transform(tensor, self.pattern, self.reduction, **self.sizes)
