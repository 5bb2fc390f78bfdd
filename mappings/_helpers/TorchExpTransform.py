import mindspore


class TorchExpTransform(TorchTransform):
    """PyTorch's ExpTransform: the exponential."""

    domain = TorchConstraint(lambda x: x == x)
    codomain = TorchConstraint(lambda x: x > 0)
    bijective, sign = True, 1

    def _call(self, x):
        return mindspore.ops.exp(x)

    def _inverse(self, y):
        return mindspore.ops.log(y)

    def log_abs_det_jacobian(self, x, y):
        return x

    def __eq__(self, other):
        return isinstance(other, TorchExpTransform)

    __hash__ = object.__hash__
