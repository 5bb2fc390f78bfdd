"""`ops.maximum` and `Tensor.max`: NaN is lost."""

from mindspore import Tensor, ops

NAN = float("nan")
EXPECTED = [NAN, NAN]


def got():
    return ops.stack([ops.maximum(Tensor(NAN), Tensor(1.0)), Tensor([1.0, NAN, 0.5]).max()])
