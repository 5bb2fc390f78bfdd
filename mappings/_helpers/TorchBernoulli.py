import mindspore


class TorchBernoulli(mindspore.nn.probability.distribution.Bernoulli):
    """MindSpore's Bernoulli with the arguments of PyTorch's, for code that gets the class handed on or derives from
    it."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(mindspore.ops.sigmoid(logits) if probs is None else probs)

    logits = property(lambda self: mindspore.ops.log(self.probs / (1 - self.probs)))

    def expand(self, batch_shape):
        return TorchBernoulli(mindspore.ops.broadcast_to(mindspore.Tensor(self.probs), batch_shape))
