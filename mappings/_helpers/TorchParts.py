"""The parts of a tensor, to be written as torch does: a value may have more axes than the part, each of one element, in
front of those of the part."""

import mindspore


class TorchParts:
    """The parts of a tensor, which take values with more leading axes of one element than they have themselves."""

    def __init__(self, input):
        self.input = input

    def __setitem__(self, index, value):
        if isinstance(value, mindspore.Tensor) and value.shape[:1] == (1,):
            more = value.ndim - self.input[index].ndim
            if more > 0:
                value = value.reshape(value.shape[more:])
        self.input[index] = value
