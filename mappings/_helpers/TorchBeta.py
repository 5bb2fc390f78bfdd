import random

import mindspore


class TorchBeta(mindspore.nn.probability.distribution.Beta):
    """MindSpore's Beta distribution with draws on the CPU, number by number with Python's `random`; no gradient goes
    through them."""

    def __init__(self, concentration1, concentration0, validate_args=None):
        super().__init__(concentration1, concentration0)

    def sample(self, shape=()):
        first, second = (mindspore.Tensor(one) for one in (self.concentration1, self.concentration0))
        shape = tuple(shape) + (first + second).shape
        pairs = zip(*(mindspore.ops.broadcast_to(one, shape).asnumpy().flatten() for one in (first, second)))
        draws = [random.betavariate(float(a), float(b)) for a, b in pairs]
        return mindspore.Tensor(draws, first.dtype).reshape(shape)
