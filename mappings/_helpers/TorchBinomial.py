import mindspore


class TorchBinomial:
    """PyTorch's Binomial distribution: how many of n tries succeed."""

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
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
            mindspore.ops.lgamma(self.total_count + 1)
            - mindspore.ops.lgamma(value + 1)
            - mindspore.ops.lgamma(self.total_count - value + 1)
            + value * mindspore.ops.log(self.probs)
            + (self.total_count - value) * mindspore.ops.log1p(-self.probs)
        )

    @property
    def mean(self):
        return self.total_count * self.probs

    @property
    def mode(self):
        return mindspore.ops.minimum(
            mindspore.ops.floor((self.total_count + 1) * self.probs), self.total_count
        )

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def sample(self, sample_shape=()):
        shape = tuple(sample_shape) + self.batch_shape
        tries = int(self.total_count.max())
        wins = mindspore.ops.rand(*shape, tries) < self.probs.expand_dims(-1)
        counted = mindspore.ops.arange(tries) < self.total_count.expand_dims(-1)
        return mindspore.ops.logical_and(wins, counted).astype(self.probs.dtype).sum(-1)

    def expand(self, batch_shape):
        return TorchBinomial(
            mindspore.ops.broadcast_to(self.total_count, tuple(batch_shape)),
            probs=mindspore.ops.broadcast_to(self.probs, tuple(batch_shape)),
        )
