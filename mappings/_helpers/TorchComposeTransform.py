class TorchComposeTransform(TorchTransform):
    """PyTorch's ComposeTransform: one transform after the other."""

    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts

    @property
    def bijective(self):
        return all(part.bijective for part in self.parts)

    @property
    def sign(self):
        sign = 1
        for part in self.parts:
            sign = sign * part.sign
        return sign

    @property
    def domain(self):
        if not self.parts:
            return TorchConstraint(lambda x: x == x)
        axes = self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            axes = max(axes + part.domain.event_dim - part.codomain.event_dim, part.domain.event_dim)
        return TorchConstraint(self.parts[0].domain.check, axes)

    @property
    def codomain(self):
        if not self.parts:
            return TorchConstraint(lambda x: x == x)
        axes = self.domain.event_dim
        for part in self.parts:
            axes = axes + part.codomain.event_dim - part.domain.event_dim
        return TorchConstraint(self.parts[-1].codomain.check, axes)

    def _call(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def _inverse(self, y):
        for part in reversed(self.parts):
            y = part._inv_call(y)
        return y

    def log_abs_det_jacobian(self, x, y):
        axes, total = self.domain.event_dim, 0.0 * x
        for _ in range(axes):
            total = total.sum(-1)
        for part in self.parts:
            after = part(x)
            term = part.log_abs_det_jacobian(x, after)
            for _ in range(axes - part.domain.event_dim):
                term = term.sum(-1)
            total, x = total + term, after
            axes += part.codomain.event_dim - part.domain.event_dim
        return total

    def with_cache(self, cache_size=1):
        return self if self._cache_size == cache_size else TorchComposeTransform(self.parts, cache_size)
