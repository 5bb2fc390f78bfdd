import math
import random

import mindspore


class TorchStudentT:
    """PyTorch's StudentT distribution: a bell curve with heavier tails."""

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        values = [
            one if isinstance(one, mindspore.Tensor) else mindspore.Tensor(one, mindspore.float32)
            for one in (df, loc, scale)
        ]
        zeros = mindspore.ops.zeros_like(sum(values))
        self.df, self.loc, self.scale = (one + zeros for one in values)
        self.batch_shape, self.event_shape = self.scale.shape, ()

    def log_prob(self, value):
        return (
            mindspore.ops.lgamma((self.df + 1) / 2)
            - mindspore.ops.lgamma(self.df / 2)
            - 0.5 * mindspore.ops.log(math.pi * self.df)
            - mindspore.ops.log(self.scale)
            - (self.df + 1) / 2 * mindspore.ops.log1p(((value - self.loc) / self.scale) ** 2 / self.df)
        )

    def entropy(self):
        return (
            mindspore.ops.log(self.scale)
            + (self.df + 1)
            / 2
            * (mindspore.ops.digamma((self.df + 1) / 2) - mindspore.ops.digamma(self.df / 2))
            + 0.5 * mindspore.ops.log(self.df)
            + mindspore.ops.lgamma(self.df / 2)
            + math.lgamma(0.5)
            - mindspore.ops.lgamma((self.df + 1) / 2)
        )

    @property
    def mean(self):
        return mindspore.ops.where(self.df > 1, self.loc, math.nan)

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        finite = self.scale**2 * self.df / (self.df - 2)
        return mindspore.ops.where(self.df > 2, finite, mindspore.ops.where(self.df > 1, math.inf, math.nan))

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def rsample(self, sample_shape=()):
        shape = tuple(sample_shape) + self.batch_shape
        noise = mindspore.Tensor(
            [
                random.gauss(0, 1) / math.sqrt(random.gammavariate(df / 2, 2.0) / df)
                for df in mindspore.ops.broadcast_to(self.df, shape).asnumpy().flatten().tolist()
            ],
            self.df.dtype,
        )
        return self.loc + self.scale * noise.reshape(shape)

    def sample(self, sample_shape=()):
        return mindspore.ops.stop_gradient(self.rsample(sample_shape))

    def expand(self, batch_shape):
        return TorchStudentT(
            mindspore.ops.broadcast_to(self.df, tuple(batch_shape)),
            mindspore.ops.broadcast_to(self.loc, tuple(batch_shape)),
            mindspore.ops.broadcast_to(self.scale, tuple(batch_shape)),
        )
