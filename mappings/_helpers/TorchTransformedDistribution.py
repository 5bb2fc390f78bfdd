import mindspore


class TorchTransformedDistribution:
    """PyTorch's TransformedDistribution: draws of a distribution that go through transforms."""

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.base_dist = base_distribution
        self.transforms = list(transforms) if isinstance(transforms, (list, tuple)) else [transforms]
        batch, event = (
            tuple(base_distribution.batch_shape),
            tuple(getattr(base_distribution, "event_shape", ())),
        )
        whole = TorchComposeTransform(self.transforms)
        # A transform of whole vectors reads the last axes of a batch as one draw.
        self._base_axes = max(len(event), whole.domain.event_dim)
        shape = tuple(whole.forward_shape(batch + event))
        cut = len(shape) - self._base_axes - whole.codomain.event_dim + whole.domain.event_dim
        self.batch_shape, self.event_shape = shape[:cut], shape[cut:]

    def _summed(self, values, axes):
        for _ in range(axes):
            values = values.sum(-1)
        return values

    @property
    def has_rsample(self):
        return getattr(self.base_dist, "has_rsample", True)

    @property
    def support(self):
        return self.transforms[-1].codomain

    def expand(self, batch_shape):
        shape = TorchComposeTransform(self.transforms).inverse_shape((*batch_shape, *self.event_shape))
        shape = shape[: len(shape) - len(tuple(getattr(self.base_dist, "event_shape", ())))]
        return TorchTransformedDistribution(torch_expanded(self.base_dist, shape), self.transforms)

    def rsample(self, sample_shape=()):
        draw = getattr(self.base_dist, "rsample", self.base_dist.sample)
        x = draw(tuple(sample_shape))
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape=()):
        x = mindspore.ops.stop_gradient(self.base_dist.sample(tuple(sample_shape)))
        for transform in self.transforms:
            y = mindspore.ops.stop_gradient(transform(x))
            if getattr(transform, "_cache_size", 0):
                transform._last = (x, y)
            x = y
        return x

    def log_prob(self, value):
        axes, total, y = len(self.event_shape), 0.0, value
        for transform in reversed(self.transforms):
            x = transform._inv_call(y)
            axes += transform.domain.event_dim - transform.codomain.event_dim
            jacobian = transform.log_abs_det_jacobian(x, y)
            total, y = total - self._summed(jacobian, axes - transform.domain.event_dim), x
        base_axes = len(tuple(getattr(self.base_dist, "event_shape", ())))
        return total + self._summed(self.base_dist.log_prob(y), axes - base_axes)

    def cdf(self, value):
        sign = 1
        for transform in reversed(self.transforms):
            sign, value = sign * transform.sign, transform._inv_call(value)
        return sign * (self.base_dist.cdf(value) - 0.5) + 0.5
