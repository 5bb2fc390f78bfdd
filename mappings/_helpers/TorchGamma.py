import random

import mindspore


class TorchGamma(mindspore.nn.probability.distribution.Gamma):
    """MindSpore's Gamma distribution with draws on the CPU, number by number with Python's `random`; no gradient goes
    through them."""

    def sample(self, shape=()):
        first, second = (mindspore.Tensor(one) for one in (self.concentration, self.rate))
        shape = tuple(shape) + (first + second).shape
        pairs = zip(*(mindspore.ops.broadcast_to(one, shape).asnumpy().flatten() for one in (first, second)))
        draws = [random.gammavariate(float(a), 1 / float(b)) for a, b in pairs]
        return mindspore.Tensor(draws, first.dtype).reshape(shape)
