"""`experimental.optim.Adam`: eps is added before the bias is corrected, so that first steps of small gradients are far
too small."""

from mindspore import Parameter, Tensor
from mindspore.experimental import optim

EXPECTED = [1.0 - 0.1 * 1e-7 / (1e-7 + 1e-8)]  # lr * m / (sqrt(v) + eps), both corrected


def got():
    weight = Parameter(Tensor([1.0]), name="weight")
    optim.Adam([weight], lr=0.1)((Tensor([1e-7]),))
    return weight
