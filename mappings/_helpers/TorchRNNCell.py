import mindspore


class TorchRNNCell(mindspore.nn.RNNCell):
    """mindspore.nn.RNNCell with the arguments of PyTorch's: the state may be left out, and the batch axis."""

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", **unused):
        super().__init__(input_size, hidden_size, bool(bias), nonlinearity)
        self.bias = bias
        self.set_train()

    def construct(self, input, hx=None):
        total = mindspore.ops.dense(input, self.weight_ih, self.bias_ih)
        if hx is not None:
            total = total + mindspore.ops.dense(hx, self.weight_hh)
        if self.bias_hh is not None:
            total = total + self.bias_hh
        return mindspore.ops.relu(total) if self.nonlinearity == "relu" else torch_tanh(total)
