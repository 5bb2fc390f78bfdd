"""`mint.optim.SGD`: the call returns, and the weights stay as they were."""

from mindspore import Parameter, Tensor, mint

EXPECTED = [0.9, 1.9]


def got():
    weight = Parameter(Tensor([1.0, 2.0]), name="weight")
    mint.optim.SGD([weight], lr=0.1)((Tensor([1.0, 1.0]),))
    return weight
