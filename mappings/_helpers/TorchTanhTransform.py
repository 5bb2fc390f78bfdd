import math

import mindspore


class TorchTanhTransform(TorchTransform):
    """PyTorch's TanhTransform: the hyperbolic tangent."""

    domain = TorchConstraint(lambda x: x == x)
    codomain = TorchConstraint(lambda x: (x >= -1) & (x <= 1))
    bijective, sign = True, 1

    def _call(self, x):
        return torch_tanh(x)

    def _inverse(self, y):
        return mindspore.ops.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - mindspore.ops.softplus(-2.0 * x))

    def __eq__(self, other):
        return isinstance(other, TorchTanhTransform)

    __hash__ = object.__hash__
