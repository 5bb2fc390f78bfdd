import mindspore


class TorchRelaxedBernoulli:
    """PyTorch's RelaxedBernoulli distribution: a soft coin whose draws carry gradients."""

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        if logits is None:
            logits = mindspore.ops.log(probs) - mindspore.ops.log1p(-probs)
        self.temperature, self.logits = temperature, logits
        self.probs = mindspore.ops.sigmoid(logits)
        self.batch_shape, self.event_shape = logits.shape, ()

    def log_prob(self, value):
        odds = mindspore.ops.log(value) - mindspore.ops.log1p(-value)
        away = self.logits - self.temperature * odds
        temperature = self.temperature * mindspore.ops.ones_like(away)
        density = mindspore.ops.log(temperature) + away - 2 * mindspore.ops.softplus(away)
        return density - mindspore.ops.log(value) - mindspore.ops.log1p(-value)

    def rsample(self, sample_shape=()):
        noise = mindspore.ops.rand(tuple(sample_shape) + self.batch_shape)
        odds = mindspore.ops.log(noise) - mindspore.ops.log1p(-noise)
        return mindspore.ops.sigmoid((self.logits + odds) / self.temperature)

    def sample(self, sample_shape=()):
        return mindspore.ops.stop_gradient(self.rsample(sample_shape))

    def expand(self, batch_shape):
        logits = mindspore.ops.broadcast_to(self.logits, tuple(batch_shape))
        return TorchRelaxedBernoulli(self.temperature, logits=logits)
