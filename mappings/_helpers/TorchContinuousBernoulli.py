import math

import mindspore


class TorchContinuousBernoulli:
    """PyTorch's ContinuousBernoulli distribution: a density on the unit interval whose logarithm is linear."""

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        if probs is None:
            probs = mindspore.ops.sigmoid(logits)
        self.probs = (
            probs if isinstance(probs, mindspore.Tensor) else mindspore.Tensor(probs, mindspore.float32)
        )
        self.batch_shape, self.event_shape = self.probs.shape, ()
        # Around one half the formulas divide zero by zero; a series takes their place there.
        self._far = mindspore.ops.logical_or(self.probs <= lims[0], self.probs > lims[1])
        self._cut = mindspore.ops.where(self._far, self.probs, lims[0])

    @property
    def logits(self):
        return mindspore.ops.log(self.probs) - mindspore.ops.log1p(-self.probs)

    def _log_norm(self):
        away = (self.probs - 0.5) ** 2
        odds = mindspore.ops.log1p(-self._cut) - mindspore.ops.log(self._cut)
        far = mindspore.ops.log(odds / (1 - 2 * self._cut))
        return mindspore.ops.where(self._far, far, math.log(2) + (4 / 3 + 104 / 45 * away) * away)

    def log_prob(self, value):
        ones, zeros = mindspore.ops.log(self.probs), mindspore.ops.log1p(-self.probs)
        return value * ones + (1 - value) * zeros + self._log_norm()

    def cdf(self, value):
        powers = self._cut**value * (1 - self._cut) ** (1 - value)
        inside = mindspore.ops.where(self._far, (powers + self._cut - 1) / (2 * self._cut - 1), value)
        return mindspore.ops.clamp(inside, 0.0, 1.0)

    def icdf(self, value):
        rest = mindspore.ops.log1p(-self._cut)
        slope = mindspore.ops.log(self._cut) - rest
        far = (mindspore.ops.log1p(-self._cut + value * (2 * self._cut - 1)) - rest) / slope
        return mindspore.ops.where(self._far, far, value)

    def entropy(self):
        ones, zeros = mindspore.ops.log(self.probs), mindspore.ops.log1p(-self.probs)
        return self.mean * (zeros - ones) - self._log_norm() - zeros

    @property
    def mean(self):
        odds = mindspore.ops.log1p(-self._cut) - mindspore.ops.log(self._cut)
        away = self.probs - 0.5
        near = 0.5 + (1 / 3 + 16 / 45 * away**2) * away
        return mindspore.ops.where(self._far, self._cut / (2 * self._cut - 1) + 1 / odds, near)

    @property
    def variance(self):
        odds = mindspore.ops.log1p(-self._cut) - mindspore.ops.log(self._cut)
        far = self._cut * (self._cut - 1) / (1 - 2 * self._cut) ** 2 + 1 / odds**2
        away = (self.probs - 0.5) ** 2
        return mindspore.ops.where(self._far, far, 1 / 12 - (1 / 15 - 128 / 945 * away) * away)

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def rsample(self, sample_shape=()):
        return self.icdf(mindspore.ops.rand(tuple(sample_shape) + self.batch_shape))

    def sample(self, sample_shape=()):
        return mindspore.ops.stop_gradient(self.rsample(sample_shape))

    def expand(self, batch_shape):
        return TorchContinuousBernoulli(mindspore.ops.broadcast_to(self.probs, tuple(batch_shape)))
