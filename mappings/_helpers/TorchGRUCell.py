import mindspore


class TorchGRUCell(mindspore.nn.GRUCell):
    """mindspore.nn.GRUCell with the arguments of PyTorch's: the state may be left out, and the batch axis."""

    def __init__(self, input_size, hidden_size, bias=True, **unused):
        super().__init__(input_size, hidden_size, bool(bias))
        self.bias = bias
        self.set_train()

    def construct(self, input, hx=None):
        if hx is None:
            hx = mindspore.ops.zeros((*input.shape[:-1], self.hidden_size), input.dtype)
        of_input = mindspore.ops.chunk(mindspore.ops.dense(input, self.weight_ih, self.bias_ih), 3, -1)
        of_state = mindspore.ops.chunk(mindspore.ops.dense(hx, self.weight_hh, self.bias_hh), 3, -1)
        reset = mindspore.ops.sigmoid(of_input[0] + of_state[0])
        update = mindspore.ops.sigmoid(of_input[1] + of_state[1])
        new = torch_tanh(of_input[2] + reset * of_state[2])
        return new + update * (hx - new)
