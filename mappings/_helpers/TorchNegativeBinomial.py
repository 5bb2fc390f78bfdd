import random

import mindspore


class TorchNegativeBinomial:
    """PyTorch's NegativeBinomial distribution: how many successes come before n failures."""

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        if probs is None:
            logits = (
                logits
                if isinstance(logits, mindspore.Tensor)
                else mindspore.Tensor(logits, mindspore.float32)
            )
            probs = mindspore.ops.sigmoid(logits)
        values = [
            one if isinstance(one, mindspore.Tensor) else mindspore.Tensor(one, mindspore.float32)
            for one in (total_count, probs)
        ]
        zeros = mindspore.ops.zeros_like(sum(values))
        self.total_count, self.probs = (one + zeros for one in values)
        self.batch_shape, self.event_shape = self.probs.shape, ()

    @property
    def logits(self):
        return mindspore.ops.log(self.probs) - mindspore.ops.log1p(-self.probs)

    def log_prob(self, value):
        return (
            self.total_count * mindspore.ops.log1p(-self.probs)
            + value * mindspore.ops.log(self.probs)
            + mindspore.ops.lgamma(self.total_count + value)
            - mindspore.ops.lgamma(value + 1)
            - mindspore.ops.lgamma(self.total_count)
        )

    @property
    def mean(self):
        return self.total_count * self.probs / (1 - self.probs)

    @property
    def mode(self):
        return mindspore.ops.relu(mindspore.ops.floor((self.total_count - 1) * self.probs / (1 - self.probs)))

    @property
    def variance(self):
        return self.total_count * self.probs / (1 - self.probs) ** 2

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def sample(self, sample_shape=()):
        shape = tuple(sample_shape) + self.batch_shape
        rates = [
            random.gammavariate(n, p / (1 - p))
            for n, p in zip(
                *(
                    mindspore.ops.broadcast_to(one, shape).asnumpy().flatten().tolist()
                    for one in (self.total_count, self.probs)
                ),
                strict=True,
            )
        ]
        draws = []
        for rate in rates:
            count, passed = -1, 0.0
            while passed < rate:
                count, passed = count + 1, passed + random.expovariate(1.0)
            draws.append(float(count))
        return mindspore.Tensor(draws, self.probs.dtype).reshape(shape)

    def expand(self, batch_shape):
        return TorchNegativeBinomial(
            mindspore.ops.broadcast_to(self.total_count, tuple(batch_shape)),
            probs=mindspore.ops.broadcast_to(self.probs, tuple(batch_shape)),
        )
