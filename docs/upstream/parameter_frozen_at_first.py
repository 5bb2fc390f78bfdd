"""`Parameter.requires_grad`: a parameter that is frozen when MindSpore differentiates for the first time gets gradients
of zero for good."""

from mindspore import Parameter, Tensor, value_and_grad

EXPECTED = [2.0, 2.0]


def got():
    weight = Parameter(Tensor([1.0, 1.0]), name="weight")
    other = Parameter(Tensor([1.0, 1.0]), name="other")
    slope = value_and_grad(lambda: (weight * other * 2.0).sum(), None, [weight, other])
    weight.requires_grad = False
    slope()
    weight.requires_grad = True
    return slope()[1][0]
