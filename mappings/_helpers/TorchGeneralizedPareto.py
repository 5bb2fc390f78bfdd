import mindspore


class TorchGeneralizedPareto:
    """PyTorch's GeneralizedPareto distribution: what exceeds a threshold."""

    def __init__(self, loc, scale, concentration, validate_args=None):
        values = [
            one if isinstance(one, mindspore.Tensor) else mindspore.Tensor(one, mindspore.float32)
            for one in (loc, scale, concentration)
        ]
        zeros = mindspore.ops.zeros_like(sum(values))
        self.loc, self.scale, self.concentration = (one + zeros for one in values)
        self.batch_shape, self.event_shape = self.concentration.shape, ()

    def log_prob(self, value):
        return -mindspore.ops.log(self.scale) - (1 + 1 / self.concentration) * mindspore.ops.log1p(
            self.concentration * (value - self.loc) / self.scale
        )

    def cdf(self, value):
        return 1 - (1 + self.concentration * (value - self.loc) / self.scale) ** (-1 / self.concentration)

    def icdf(self, value):
        return self.loc + self.scale * ((1 - value) ** -self.concentration - 1) / self.concentration

    def log_cdf(self, value):
        return mindspore.ops.log(
            1 - (1 + self.concentration * (value - self.loc) / self.scale) ** (-1 / self.concentration)
        )

    def log_survival_function(self, value):
        return -mindspore.ops.log1p(self.concentration * (value - self.loc) / self.scale) / self.concentration

    def entropy(self):
        return mindspore.ops.log(self.scale) + self.concentration + 1

    @property
    def mean(self):
        return self.loc + self.scale / (1 - self.concentration)

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return self.scale**2 / ((1 - self.concentration) ** 2 * (1 - 2 * self.concentration))

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def rsample(self, sample_shape=()):
        shape = tuple(sample_shape) + self.batch_shape
        return (
            self.loc
            + self.scale * (mindspore.ops.rand(shape) ** -self.concentration - 1) / self.concentration
        )

    def sample(self, sample_shape=()):
        return mindspore.ops.stop_gradient(self.rsample(sample_shape))

    def expand(self, batch_shape):
        return TorchGeneralizedPareto(
            mindspore.ops.broadcast_to(self.loc, tuple(batch_shape)),
            mindspore.ops.broadcast_to(self.scale, tuple(batch_shape)),
            mindspore.ops.broadcast_to(self.concentration, tuple(batch_shape)),
        )
