import mindspore


class TorchGRUCell(mindspore.nn.GRUCell):
    """mindspore.nn.GRUCell with the arguments of PyTorch's: the state may be left out, and the batch axis."""

    def __init__(self, input_size, hidden_size, bias=True, **unused):
        super().__init__(input_size, hidden_size, bias)
        self.set_train()

    def construct(self, input, hx=None):
        if hx is None:
            hx = mindspore.ops.zeros((*input.shape[:-1], self.hidden_size), input.dtype)
        if input.ndim == 1:
            return super().construct(input.expand_dims(0), hx.expand_dims(0)).squeeze(0)
        return super().construct(input, hx)
