"""Once an optimizer was called, it no longer reaches a parameter that `set_data`, `assign_value` or
`load_param_into_net` gave a value, so that a checkpoint which is loaded between two steps ends the training."""

from mindspore import Parameter, Tensor, nn

EXPECTED = [-0.1]


def got():
    weight = Parameter(Tensor([1.0]), name="weight")
    optimizer = nn.SGD([weight], learning_rate=0.1)
    optimizer((Tensor([1.0]),))
    weight.set_data(Tensor([0.0]))
    optimizer((Tensor([1.0]),))
    return weight
