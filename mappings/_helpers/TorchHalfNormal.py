import math

import mindspore


class TorchHalfNormal:
    """PyTorch's HalfNormal distribution: the absolute value of a normal one."""

    def __init__(self, scale, validate_args=None):
        self.scale = (
            scale if isinstance(scale, mindspore.Tensor) else mindspore.Tensor(scale, mindspore.float32)
        )
        self.batch_shape, self.event_shape = self.scale.shape, ()

    def log_prob(self, value):
        return 0.5 * math.log(2 / math.pi) - mindspore.ops.log(self.scale) - value**2 / (2 * self.scale**2)

    def cdf(self, value):
        return mindspore.ops.erf(value / (self.scale * 2**0.5))

    def icdf(self, value):
        return self.scale * 2**0.5 * mindspore.ops.erfinv(value)

    def entropy(self):
        return 0.5 * math.log(math.pi / 2) + 0.5 + mindspore.ops.log(self.scale)

    @property
    def mean(self):
        return self.scale * (2 / math.pi) ** 0.5

    @property
    def mode(self):
        return mindspore.ops.zeros_like(self.scale)

    @property
    def variance(self):
        return self.scale**2 * (1 - 2 / math.pi)

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def rsample(self, sample_shape=()):
        shape = tuple(sample_shape) + self.batch_shape
        return mindspore.ops.abs(self.scale * mindspore.ops.randn(shape))

    def sample(self, sample_shape=()):
        return mindspore.ops.stop_gradient(self.rsample(sample_shape))

    def expand(self, batch_shape):
        return TorchHalfNormal(mindspore.ops.broadcast_to(self.scale, tuple(batch_shape)))
