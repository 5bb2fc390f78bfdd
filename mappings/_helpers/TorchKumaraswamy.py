import mindspore


class TorchKumaraswamy:
    """PyTorch's Kumaraswamy distribution: like Beta, with a formula to draw."""

    def __init__(self, concentration1, concentration0, validate_args=None):
        values = [
            one if isinstance(one, mindspore.Tensor) else mindspore.Tensor(one, mindspore.float32)
            for one in (concentration1, concentration0)
        ]
        zeros = mindspore.ops.zeros_like(sum(values))
        self.concentration1, self.concentration0 = (one + zeros for one in values)
        self.batch_shape, self.event_shape = self.concentration0.shape, ()

    def log_prob(self, value):
        return (
            mindspore.ops.log(self.concentration1 * self.concentration0)
            + (self.concentration1 - 1) * mindspore.ops.log(value)
            + (self.concentration0 - 1) * mindspore.ops.log1p(-(value**self.concentration1))
        )

    def entropy(self):
        return (
            1
            - 1 / self.concentration0
            + (1 - 1 / self.concentration1)
            * (mindspore.ops.digamma(self.concentration0 + 1) + 0.5772156649015329)
            - mindspore.ops.log(self.concentration1 * self.concentration0)
        )

    @property
    def mean(self):
        return self.concentration0 * mindspore.ops.exp(
            mindspore.ops.lgamma(1 + 1 / self.concentration1)
            + mindspore.ops.lgamma(self.concentration0)
            - mindspore.ops.lgamma(1 + 1 / self.concentration1 + self.concentration0)
        )

    @property
    def mode(self):
        return ((self.concentration1 - 1) / (self.concentration1 * self.concentration0 - 1)) ** (
            1 / self.concentration1
        )

    @property
    def variance(self):
        return (
            self.concentration0
            * mindspore.ops.exp(
                mindspore.ops.lgamma(1 + 2 / self.concentration1)
                + mindspore.ops.lgamma(self.concentration0)
                - mindspore.ops.lgamma(1 + 2 / self.concentration1 + self.concentration0)
            )
            - self.mean**2
        )

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def rsample(self, sample_shape=()):
        shape = tuple(sample_shape) + self.batch_shape
        return (1 - mindspore.ops.rand(shape) ** (1 / self.concentration0)) ** (1 / self.concentration1)

    def sample(self, sample_shape=()):
        return mindspore.ops.stop_gradient(self.rsample(sample_shape))

    def expand(self, batch_shape):
        return TorchKumaraswamy(
            mindspore.ops.broadcast_to(self.concentration1, tuple(batch_shape)),
            mindspore.ops.broadcast_to(self.concentration0, tuple(batch_shape)),
        )
