class TorchIndependent:
    """PyTorch's Independent distribution: reads the last axes of a batch as one draw."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        shape = tuple(base_distribution.batch_shape)
        cut = len(shape) - reinterpreted_batch_ndims
        self.batch_shape = shape[:cut]
        self.event_shape = shape[cut:] + tuple(getattr(base_distribution, "event_shape", ()))

    def _summed(self, values):
        for _ in range(self.reinterpreted_batch_ndims):
            values = values.sum(-1)
        return values

    def _asked(self, *names):
        value = next(getattr(self.base_dist, name) for name in names if hasattr(self.base_dist, name))
        return value() if callable(value) else value

    def expand(self, batch_shape):
        shape = (*batch_shape, *self.event_shape[: self.reinterpreted_batch_ndims])
        return TorchIndependent(torch_expanded(self.base_dist, shape), self.reinterpreted_batch_ndims)

    def log_prob(self, value):
        return self._summed(self.base_dist.log_prob(value))

    def entropy(self):
        return self._summed(self.base_dist.entropy())

    @property
    def mean(self):
        return self._asked("mean")

    @property
    def mode(self):
        return self._asked("mode")

    @property
    def variance(self):
        return self._asked("variance", "var")

    @property
    def stddev(self):
        return self._asked("stddev", "sd")

    def sd(self):
        return self.stddev

    def sample(self, sample_shape=()):
        return self.base_dist.sample(tuple(sample_shape))

    def rsample(self, sample_shape=()):
        draw = getattr(self.base_dist, "rsample", self.base_dist.sample)
        return draw(tuple(sample_shape))
