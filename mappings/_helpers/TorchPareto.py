import mindspore


class TorchPareto:
    """PyTorch's Pareto distribution: a power law above a scale."""

    def __init__(self, scale, alpha, validate_args=None):
        values = [
            one if isinstance(one, mindspore.Tensor) else mindspore.Tensor(one, mindspore.float32)
            for one in (scale, alpha)
        ]
        zeros = mindspore.ops.zeros_like(sum(values))
        self.scale, self.alpha = (one + zeros for one in values)
        self.batch_shape, self.event_shape = self.alpha.shape, ()

    def log_prob(self, value):
        return (
            mindspore.ops.log(self.alpha)
            + self.alpha * mindspore.ops.log(self.scale)
            - (self.alpha + 1) * mindspore.ops.log(value)
        )

    def cdf(self, value):
        return 1 - (self.scale / value) ** self.alpha

    def icdf(self, value):
        return self.scale * (1 - value) ** (-1 / self.alpha)

    def entropy(self):
        return mindspore.ops.log(self.scale / self.alpha) + 1 + 1 / self.alpha

    @property
    def mean(self):
        return self.alpha * self.scale / (self.alpha - 1)

    @property
    def mode(self):
        return self.scale

    @property
    def variance(self):
        return self.scale**2 * self.alpha / ((self.alpha - 1) ** 2 * (self.alpha - 2))

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def rsample(self, sample_shape=()):
        shape = tuple(sample_shape) + self.batch_shape
        return self.scale * mindspore.ops.rand(shape) ** (-1 / self.alpha)

    def sample(self, sample_shape=()):
        return mindspore.ops.stop_gradient(self.rsample(sample_shape))

    def expand(self, batch_shape):
        return TorchPareto(
            mindspore.ops.broadcast_to(self.scale, tuple(batch_shape)),
            mindspore.ops.broadcast_to(self.alpha, tuple(batch_shape)),
        )
