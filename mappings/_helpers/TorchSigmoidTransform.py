import mindspore


class TorchSigmoidTransform(TorchTransform):
    """PyTorch's SigmoidTransform: the sigmoid."""

    domain = TorchConstraint(lambda x: x == x)
    codomain = TorchConstraint(lambda x: (x >= 0) & (x <= 1))
    bijective, sign = True, 1

    def _call(self, x):
        return mindspore.ops.sigmoid(x)

    def _inverse(self, y):
        return mindspore.ops.log(y) - mindspore.ops.log1p(-y)

    def log_abs_det_jacobian(self, x, y):
        return -mindspore.ops.softplus(-x) - mindspore.ops.softplus(x)

    def __eq__(self, other):
        return isinstance(other, TorchSigmoidTransform)

    __hash__ = object.__hash__
