import math

import mindspore
import mindspore.scipy


class TorchMultivariateNormal:
    """PyTorch's MultivariateNormal distribution: a normal vector with correlations."""

    def __init__(
        self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None
    ):
        if scale_tril is None:
            if covariance_matrix is None:
                covariance_matrix = mindspore.ops.inverse(precision_matrix)
            scale_tril = mindspore.ops.cholesky(covariance_matrix)
        self.loc = loc + mindspore.ops.zeros_like(scale_tril[..., 0])
        self.scale_tril = mindspore.ops.tril(scale_tril) + mindspore.ops.zeros_like(self.loc).expand_dims(-1)
        self.batch_shape, self.event_shape = self.loc.shape[:-1], self.loc.shape[-1:]

    @property
    def covariance_matrix(self):
        return mindspore.ops.matmul(self.scale_tril, self.scale_tril.swapaxes(-1, -2))

    @property
    def precision_matrix(self):
        return mindspore.ops.inverse(self.covariance_matrix)

    def _log_determinant(self):
        return mindspore.ops.log(mindspore.ops.diagonal(self.scale_tril, 0, -2, -1)).sum(-1)

    def log_prob(self, value):
        away = (value - self.loc).expand_dims(-1)
        factor = mindspore.ops.broadcast_to(self.scale_tril, away.shape[:-1] + self.event_shape)
        scaled = mindspore.scipy.linalg.solve_triangular(factor, away, lower=True)
        squares = (scaled**2).sum(-1).sum(-1)
        return -0.5 * (squares + self.event_shape[0] * math.log(2 * math.pi)) - self._log_determinant()

    def entropy(self):
        return self._log_determinant() + 0.5 * self.event_shape[0] * (1 + math.log(2 * math.pi))

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return (self.scale_tril**2).sum(-1)

    @property
    def stddev(self):
        return self.variance**0.5

    def sd(self):
        return self.stddev

    def rsample(self, sample_shape=()):
        noise = mindspore.ops.randn(tuple(sample_shape) + self.loc.shape).expand_dims(-1)
        return self.loc + mindspore.ops.matmul(self.scale_tril, noise).squeeze(-1)

    def sample(self, sample_shape=()):
        return mindspore.ops.stop_gradient(self.rsample(sample_shape))

    def expand(self, batch_shape):
        shape = tuple(batch_shape) + self.event_shape
        return TorchMultivariateNormal(
            mindspore.ops.broadcast_to(self.loc, shape),
            scale_tril=mindspore.ops.broadcast_to(self.scale_tril, shape + self.event_shape),
        )
