import mindspore


class TorchMixtureSameFamily:
    """PyTorch's MixtureSameFamily distribution: the last axis of the components' batch counts them."""

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self.mixture_distribution = mixture_distribution
        self.component_distribution = component_distribution
        self.event_shape = tuple(getattr(component_distribution, "event_shape", ()))
        self.batch_shape = tuple(component_distribution.batch_shape)[:-1]
        self._axis = -1 - len(self.event_shape)  # of the components, in what they give for a draw

    def _of_components(self, *names):
        owner = self.component_distribution
        value = next(getattr(owner, name) for name in names if hasattr(owner, name))
        return value() if callable(value) else value

    def _weights(self):
        probs = self.mixture_distribution.probs
        return probs.reshape(probs.shape + (1,) * len(self.event_shape))

    def log_prob(self, value):
        of_each = self.component_distribution.log_prob(value.expand_dims(self._axis))
        return mindspore.ops.logsumexp(of_each + self.mixture_distribution.logits_of_classes, -1)

    def cdf(self, value):
        of_each = self.component_distribution.cdf(value.expand_dims(self._axis))
        return (of_each * self.mixture_distribution.probs).sum(-1)

    @property
    def mean(self):
        return (self._weights() * self._of_components("mean")).sum(self._axis)

    @property
    def variance(self):
        away = self._of_components("mean") - self.mean.expand_dims(self._axis)
        return (self._weights() * (self._of_components("variance", "var") + away**2)).sum(self._axis)

    @property
    def stddev(self):
        return mindspore.ops.sqrt(self.variance)

    def sample(self, sample_shape=()):
        shape = tuple(sample_shape)
        draws = self.component_distribution.sample(shape)
        chosen = self.mixture_distribution.sample(shape).reshape(
            (*shape, *self.batch_shape, *(1,) * (1 + len(self.event_shape)))
        )
        chosen = mindspore.ops.broadcast_to(chosen, (*shape, *self.batch_shape, 1, *self.event_shape))
        axis = draws.ndim + self._axis
        return mindspore.ops.stop_gradient(mindspore.ops.gather_elements(draws, axis, chosen).squeeze(axis))
