import mindspore


class TorchLSTMCell(mindspore.nn.LSTMCell):
    """mindspore.nn.LSTMCell with the arguments of PyTorch's: the states may be left out, and the batch axis."""

    def __init__(self, input_size, hidden_size, bias=True, **unused):
        super().__init__(input_size, hidden_size, bool(bias))
        self.bias = bias
        self.set_train()

    def construct(self, input, hx=None):
        if hx is None:
            zeros = mindspore.ops.zeros((*input.shape[:-1], self.hidden_size), input.dtype)
            hx = (zeros, zeros)
        hidden, cell = hx
        gates = mindspore.ops.dense(input, self.weight_ih, self.bias_ih)
        gates = gates + mindspore.ops.dense(hidden, self.weight_hh, self.bias_hh)
        i, f, g, o = mindspore.ops.chunk(gates, 4, -1)
        cell = mindspore.ops.sigmoid(f) * cell + mindspore.ops.sigmoid(i) * torch_tanh(g)
        return mindspore.ops.sigmoid(o) * torch_tanh(cell), cell
