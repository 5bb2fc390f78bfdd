import mindspore


class TorchElements:
    """The elements of a tensor, to be written without a gradient. What an index writes to a Parameter while a gradient
    is recorded lies where no optimizer finds it any more, so a Parameter is written as a whole, unrecorded, as other
    tensors that gradients are asked for."""

    def __init__(self, input):
        self.input = input

    detached = property(lambda self: mindspore.ops.stop_gradient(self.input))

    def __getattr__(self, name):
        return getattr(self.input, name)

    def __getitem__(self, index):
        return self.input[index]

    def __setitem__(self, index, value):
        input = self.input
        is_asked_for = isinstance(input, mindspore.Parameter) or getattr(input, "_requires_grad", False)
        if not is_asked_for and getattr(value, "_requires_grad", False) is not False:
            # Written as a whole it would share the memory of the value.
            TorchParts(input)[index] = value.copy()
            return
        values = mindspore.ops.stop_gradient(input).copy()
        TorchParts(values)[index] = value
        with mindspore._no_grad():
            input[()] = values
