import mindspore


class TorchWeibull:
    """PyTorch's Weibull distribution: the time until a part fails."""

    def __init__(self, scale, concentration, validate_args=None):
        values = [
            one if isinstance(one, mindspore.Tensor) else mindspore.Tensor(one, mindspore.float32)
            for one in (scale, concentration)
        ]
        zeros = mindspore.ops.zeros_like(sum(values))
        self.scale, self.concentration = (one + zeros for one in values)
        self.batch_shape, self.event_shape = self.concentration.shape, ()

    def log_prob(self, value):
        return (
            mindspore.ops.log(self.concentration / self.scale)
            + (self.concentration - 1) * mindspore.ops.log(value / self.scale)
            - (value / self.scale) ** self.concentration
        )

    def cdf(self, value):
        return 1 - mindspore.ops.exp(-((value / self.scale) ** self.concentration))

    def icdf(self, value):
        return self.scale * (-mindspore.ops.log1p(-value)) ** (1 / self.concentration)

    def entropy(self):
        return (
            0.5772156649015329 * (1 - 1 / self.concentration)
            + mindspore.ops.log(self.scale / self.concentration)
            + 1
        )

    @property
    def mean(self):
        return self.scale * mindspore.ops.exp(mindspore.ops.lgamma(1 + 1 / self.concentration))

    @property
    def mode(self):
        return self.scale * ((self.concentration - 1) / self.concentration) ** (1 / self.concentration)

    @property
    def variance(self):
        return self.scale**2 * (
            mindspore.ops.exp(mindspore.ops.lgamma(1 + 2 / self.concentration))
            - mindspore.ops.exp(2 * mindspore.ops.lgamma(1 + 1 / self.concentration))
        )

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def rsample(self, sample_shape=()):
        shape = tuple(sample_shape) + self.batch_shape
        return self.scale * (-mindspore.ops.log(mindspore.ops.rand(shape))) ** (1 / self.concentration)

    def sample(self, sample_shape=()):
        return mindspore.ops.stop_gradient(self.rsample(sample_shape))

    def expand(self, batch_shape):
        return TorchWeibull(
            mindspore.ops.broadcast_to(self.scale, tuple(batch_shape)),
            mindspore.ops.broadcast_to(self.concentration, tuple(batch_shape)),
        )
