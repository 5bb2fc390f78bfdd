import mindspore


class TorchLSTMCell(mindspore.nn.LSTMCell):
    """mindspore.nn.LSTMCell with the arguments of PyTorch's: the states may be left out, and the batch axis."""

    def __init__(self, input_size, hidden_size, bias=True, **unused):
        super().__init__(input_size, hidden_size, bias)
        self.set_train()

    def construct(self, input, hx=None):
        if hx is None:
            zeros = mindspore.ops.zeros((*input.shape[:-1], self.hidden_size), input.dtype)
            hx = (zeros, zeros)
        if input.ndim == 1:
            states = tuple(state.expand_dims(0) for state in hx)
            return tuple(state.squeeze(0) for state in super().construct(input.expand_dims(0), states))
        return super().construct(input, hx)
