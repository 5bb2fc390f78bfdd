import mindspore


class TorchCategorical(mindspore.nn.probability.distribution.Categorical):
    """PyTorch's Categorical: probabilities are divided by their sum, and classes may have none."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        if logits is None:
            probs = probs / probs.sum(-1).expand_dims(-1)
            smallest = 2.220446049250313e-16 if probs.dtype == mindspore.float64 else 1.1920928955078125e-07
            logits = mindspore.ops.log(mindspore.ops.clamp(probs, smallest, 1 - smallest))
        else:
            logits = mindspore.ops.log_softmax(logits, -1)
            probs = mindspore.ops.exp(logits)
        # MindSpore's own class asks for probabilities above zero.
        super().__init__(mindspore.ops.full(probs.shape, 1 / probs.shape[-1], dtype=mindspore.float32))
        self._probs, self.default_parameters = probs, [probs]
        self.logits_of_classes = logits

    @property
    def logits(self):
        return self.logits_of_classes

    def expand(self, batch_shape):
        logits = self.logits_of_classes
        shape = (*batch_shape, logits.shape[-1])
        return TorchCategorical(logits=mindspore.ops.broadcast_to(logits, shape))

    def log_prob(self, value):
        logits = self.logits_of_classes
        value = mindspore.ops.stop_gradient(value).astype(mindspore.int64)
        shape = (value + mindspore.ops.zeros(logits.shape[:-1], dtype=mindspore.int64)).shape
        places = mindspore.ops.broadcast_to(value, shape).expand_dims(-1)
        return mindspore.ops.gather_elements(
            mindspore.ops.broadcast_to(logits, (*shape, logits.shape[-1])), -1, places
        ).squeeze(-1)

    def entropy(self):
        lowest = -1.7976931348623157e308 if self.probs.dtype == mindspore.float64 else -3.4028234663852886e38
        return -(mindspore.ops.clamp(self.logits_of_classes, min=lowest) * self.probs).sum(-1)

    def sample(self, shape=()):
        batch, classes = self.probs.shape[:-1], self.probs.shape[-1]
        draws = 1
        for size in shape:
            draws *= size
        rows = mindspore.ops.stop_gradient(self.probs).reshape(-1, classes)
        chosen = mindspore.ops.multinomial(rows, draws, True)
        return chosen.swapaxes(0, 1).reshape((*shape, *batch)).astype(mindspore.int64)
