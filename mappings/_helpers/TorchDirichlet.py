import random

import mindspore


class TorchDirichlet:
    """PyTorch's Dirichlet distribution: probabilities that add up to one."""

    def __init__(self, concentration, validate_args=None):
        self.concentration = concentration
        self.batch_shape, self.event_shape = concentration.shape[:-1], concentration.shape[-1:]

    def log_prob(self, value):
        a = self.concentration
        terms = (a - 1) * mindspore.ops.log(value) - mindspore.ops.lgamma(a)
        return terms.sum(-1) + mindspore.ops.lgamma(a.sum(-1))

    def entropy(self):
        a, total = self.concentration, self.concentration.sum(-1)
        terms = mindspore.ops.lgamma(a) - (a - 1) * mindspore.ops.digamma(a)
        count = a.shape[-1]
        return terms.sum(-1) - mindspore.ops.lgamma(total) + (total - count) * mindspore.ops.digamma(total)

    @property
    def mean(self):
        return self.concentration / self.concentration.sum(-1).expand_dims(-1)

    @property
    def mode(self):
        above = mindspore.ops.relu(self.concentration - 1)
        return above / above.sum(-1).expand_dims(-1)

    @property
    def variance(self):
        total = self.concentration.sum(-1).expand_dims(-1)
        return self.concentration * (total - self.concentration) / (total**2 * (total + 1))

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def sample(self, sample_shape=()):
        shape = tuple(sample_shape) + self.concentration.shape
        flat = mindspore.ops.broadcast_to(self.concentration, shape).asnumpy().flatten().tolist()
        draws = mindspore.Tensor([random.gammavariate(a, 1.0) for a in flat], self.concentration.dtype)
        draws = draws.reshape(shape)
        return draws / draws.sum(-1).expand_dims(-1)

    def expand(self, batch_shape):
        shape = tuple(batch_shape) + self.event_shape
        return TorchDirichlet(mindspore.ops.broadcast_to(self.concentration, shape))
