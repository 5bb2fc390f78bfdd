import mindspore


class TorchOneHotCategorical:
    """PyTorch's OneHotCategorical distribution: a class, as a vector of zeros with a one."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        if logits is None:
            logits = mindspore.ops.log(probs)
        self.logits = mindspore.ops.log_softmax(logits, -1)
        self.probs = mindspore.ops.exp(self.logits)
        self.batch_shape, self.event_shape = logits.shape[:-1], logits.shape[-1:]

    def log_prob(self, value):
        return (mindspore.ops.stop_gradient(value) * self.logits).sum(-1)

    def entropy(self):
        return -(self.probs * self.logits).sum(-1)

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        best = mindspore.ops.argmax(self.probs, -1)
        return (mindspore.ops.arange(self.event_shape[0]) == best.expand_dims(-1)).astype(self.probs.dtype)

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def sample(self, sample_shape=()):
        noise = mindspore.ops.rand(tuple(sample_shape) + self.probs.shape)
        best = mindspore.ops.argmax(self.logits - mindspore.ops.log(-mindspore.ops.log(noise)), -1)
        return (mindspore.ops.arange(self.event_shape[0]) == best.expand_dims(-1)).astype(self.probs.dtype)

    def expand(self, batch_shape):
        shape = tuple(batch_shape) + self.event_shape
        return TorchOneHotCategorical(logits=mindspore.ops.broadcast_to(self.logits, shape))
