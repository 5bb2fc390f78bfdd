import random

import mindspore


class TorchFisherSnedecor:
    """PyTorch's FisherSnedecor distribution: the ratio of two chi-squared values."""

    def __init__(self, df1, df2, validate_args=None):
        values = [
            one if isinstance(one, mindspore.Tensor) else mindspore.Tensor(one, mindspore.float32)
            for one in (df1, df2)
        ]
        zeros = mindspore.ops.zeros_like(sum(values))
        self.df1, self.df2 = (one + zeros for one in values)
        self.batch_shape, self.event_shape = self.df2.shape, ()

    def log_prob(self, value):
        return (
            mindspore.ops.lgamma((self.df1 + self.df2) / 2)
            - mindspore.ops.lgamma(self.df1 / 2)
            - mindspore.ops.lgamma(self.df2 / 2)
            + self.df1 / 2 * mindspore.ops.log(self.df1 / self.df2)
            + (self.df1 / 2 - 1) * mindspore.ops.log(value)
            - (self.df1 + self.df2) / 2 * mindspore.ops.log1p(self.df1 / self.df2 * value)
        )

    @property
    def mean(self):
        return self.df2 / (self.df2 - 2)

    @property
    def mode(self):
        return (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)

    @property
    def variance(self):
        return 2 * self.df2**2 * (self.df1 + self.df2 - 2) / (self.df1 * (self.df2 - 2) ** 2 * (self.df2 - 4))

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
                for one in (self.df1, self.df2)
            ),
            strict=True,
        )
        draws = [random.gammavariate(a / 2, 2 / a) / random.gammavariate(b / 2, 2 / b) for a, b in pairs]
        return mindspore.Tensor(draws, self.df1.dtype).reshape(shape)

    def expand(self, batch_shape):
        return TorchFisherSnedecor(
            mindspore.ops.broadcast_to(self.df1, tuple(batch_shape)),
            mindspore.ops.broadcast_to(self.df2, tuple(batch_shape)),
        )
