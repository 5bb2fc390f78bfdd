import math

import mindspore


class TorchHalfCauchy:
    """PyTorch's HalfCauchy distribution: the absolute value of a Cauchy one."""

    def __init__(self, scale, validate_args=None):
        self.scale = (
            scale if isinstance(scale, mindspore.Tensor) else mindspore.Tensor(scale, mindspore.float32)
        )
        self.batch_shape, self.event_shape = self.scale.shape, ()

    def log_prob(self, value):
        return (
            math.log(2 / math.pi)
            - mindspore.ops.log(self.scale)
            - mindspore.ops.log1p((value / self.scale) ** 2)
        )

    def cdf(self, value):
        return 2 / math.pi * mindspore.ops.atan(value / self.scale)

    def icdf(self, value):
        return self.scale * mindspore.ops.tan(math.pi / 2 * value)

    def entropy(self):
        return mindspore.ops.log(2 * math.pi * self.scale)

    @property
    def mean(self):
        return mindspore.ops.full_like(self.scale, math.inf)

    @property
    def mode(self):
        return mindspore.ops.zeros_like(self.scale)

    @property
    def variance(self):
        return mindspore.ops.full_like(self.scale, math.inf)

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def rsample(self, sample_shape=()):
        shape = tuple(sample_shape) + self.batch_shape
        return mindspore.ops.abs(self.scale * mindspore.ops.tan(math.pi * (mindspore.ops.rand(shape) - 0.5)))

    def sample(self, sample_shape=()):
        return mindspore.ops.stop_gradient(self.rsample(sample_shape))

    def expand(self, batch_shape):
        return TorchHalfCauchy(mindspore.ops.broadcast_to(self.scale, tuple(batch_shape)))
