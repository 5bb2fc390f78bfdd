import mindspore


class TorchAffineTransform(TorchTransform):
    """PyTorch's AffineTransform: a factor and a shift."""

    bijective = True

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.loc, self.scale, self.event_dim = loc, scale, event_dim
        self.domain = self.codomain = TorchConstraint(lambda x: x == x, event_dim)

    @property
    def sign(self):
        if isinstance(self.scale, mindspore.Tensor):
            return mindspore.ops.sign(self.scale)
        return (self.scale > 0) - (self.scale < 0)

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        size = mindspore.ops.log(mindspore.ops.abs(self.scale + mindspore.ops.zeros_like(x)))
        for _ in range(self.event_dim):
            size = size.sum(-1)
        return size

    def with_cache(self, cache_size=1):
        return TorchAffineTransform(self.loc, self.scale, self.event_dim, cache_size)
