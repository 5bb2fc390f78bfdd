"""`ops.logsigmoid`: -inf from about -90 down, where the value is the argument."""

from mindspore import Tensor, ops

EXPECTED = [-95.0]


def got():
    return ops.logsigmoid(Tensor([-95.0]))
