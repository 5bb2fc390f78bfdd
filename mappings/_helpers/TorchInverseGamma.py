import random

import mindspore


class TorchInverseGamma:
    """PyTorch's InverseGamma distribution: one over a gamma value."""

    def __init__(self, concentration, rate, validate_args=None):
        values = [
            one if isinstance(one, mindspore.Tensor) else mindspore.Tensor(one, mindspore.float32)
            for one in (concentration, rate)
        ]
        zeros = mindspore.ops.zeros_like(sum(values))
        self.concentration, self.rate = (one + zeros for one in values)
        self.batch_shape, self.event_shape = self.rate.shape, ()

    def log_prob(self, value):
        return (
            self.concentration * mindspore.ops.log(self.rate)
            - mindspore.ops.lgamma(self.concentration)
            - (self.concentration + 1) * mindspore.ops.log(value)
            - self.rate / value
        )

    def entropy(self):
        return (
            self.concentration
            + mindspore.ops.log(self.rate)
            + mindspore.ops.lgamma(self.concentration)
            - (1 + self.concentration) * mindspore.ops.digamma(self.concentration)
        )

    @property
    def mean(self):
        return self.rate / (self.concentration - 1)

    @property
    def mode(self):
        return self.rate / (self.concentration + 1)

    @property
    def variance(self):
        return self.rate**2 / ((self.concentration - 1) ** 2 * (self.concentration - 2))

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def sample(self, sample_shape=()):
        shape = tuple(sample_shape) + self.batch_shape
        pairs = zip(
            *(
                mindspore.ops.broadcast_to(one, shape).asnumpy().flatten().tolist()
                for one in (self.concentration, self.rate)
            ),
            strict=True,
        )
        draws = [1 / random.gammavariate(a, 1 / b) for a, b in pairs]
        return mindspore.Tensor(draws, self.rate.dtype).reshape(shape)

    def expand(self, batch_shape):
        return TorchInverseGamma(
            mindspore.ops.broadcast_to(self.concentration, tuple(batch_shape)),
            mindspore.ops.broadcast_to(self.rate, tuple(batch_shape)),
        )
