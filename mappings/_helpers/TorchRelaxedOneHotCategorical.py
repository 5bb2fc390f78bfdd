import math

import mindspore


class TorchRelaxedOneHotCategorical:
    """PyTorch's RelaxedOneHotCategorical distribution: a soft one-hot vector whose draws carry gradients."""

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        if logits is None:
            logits = mindspore.ops.log(probs)
        self.temperature = temperature
        self.logits = mindspore.ops.log_softmax(logits, -1)
        self.probs = mindspore.ops.exp(self.logits)
        self.batch_shape, self.event_shape = logits.shape[:-1], logits.shape[-1:]

    def log_prob(self, value):
        count = self.event_shape[0]
        logs = mindspore.ops.log(value)
        away = mindspore.ops.log_softmax(self.logits - self.temperature * logs, -1).sum(-1)
        temperature = self.temperature * mindspore.ops.ones_like(away)
        scale = math.lgamma(count) + (count - 1) * mindspore.ops.log(temperature)
        return scale + away - logs.sum(-1)

    def rsample(self, sample_shape=()):
        noise = -mindspore.ops.log(
            -mindspore.ops.log(mindspore.ops.rand(tuple(sample_shape) + self.probs.shape))
        )
        return mindspore.ops.softmax((self.logits + noise) / self.temperature, -1)

    def sample(self, sample_shape=()):
        return mindspore.ops.stop_gradient(self.rsample(sample_shape))

    def expand(self, batch_shape):
        logits = mindspore.ops.broadcast_to(self.logits, tuple(batch_shape) + self.event_shape)
        return TorchRelaxedOneHotCategorical(self.temperature, logits=logits)
