import mindspore


class TorchLaplace:
    """PyTorch's Laplace distribution: two exponential tails around a place."""

    def __init__(self, loc, scale, validate_args=None):
        values = [
            one if isinstance(one, mindspore.Tensor) else mindspore.Tensor(one, mindspore.float32)
            for one in (loc, scale)
        ]
        zeros = mindspore.ops.zeros_like(sum(values))
        self.loc, self.scale = (one + zeros for one in values)
        self.batch_shape, self.event_shape = self.scale.shape, ()

    def log_prob(self, value):
        return -mindspore.ops.log(2 * self.scale) - mindspore.ops.abs(value - self.loc) / self.scale

    def cdf(self, value):
        return 0.5 - 0.5 * mindspore.ops.sign(value - self.loc) * mindspore.ops.expm1(
            -mindspore.ops.abs(value - self.loc) / self.scale
        )

    def icdf(self, value):
        return self.loc - self.scale * mindspore.ops.sign(value - 0.5) * mindspore.ops.log1p(
            -2 * mindspore.ops.abs(value - 0.5)
        )

    def entropy(self):
        return 1 + mindspore.ops.log(2 * self.scale)

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return 2 * self.scale**2

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def rsample(self, sample_shape=()):
        shape = tuple(sample_shape) + self.batch_shape
        side = mindspore.ops.rand(shape) - 0.5
        return self.loc - self.scale * mindspore.ops.sign(side) * mindspore.ops.log1p(
            -2 * mindspore.ops.abs(side)
        )

    def sample(self, sample_shape=()):
        return mindspore.ops.stop_gradient(self.rsample(sample_shape))

    def expand(self, batch_shape):
        return TorchLaplace(
            mindspore.ops.broadcast_to(self.loc, tuple(batch_shape)),
            mindspore.ops.broadcast_to(self.scale, tuple(batch_shape)),
        )
