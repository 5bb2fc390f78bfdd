import mindspore


class TorchGRU(mindspore.nn.GRU):
    """mindspore.nn.GRU with the arguments of PyTorch's; it takes inputs without a batch axis and starts in training
    mode."""

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        **unused,
    ):
        super().__init__(
            input_size,
            hidden_size,
            num_layers=num_layers,
            has_bias=bias,
            batch_first=batch_first,
            dropout=float(dropout),
            bidirectional=bidirectional,
        )
        self.input_size, self.bias, self.proj_size, self.mode = input_size, bias, 0, "GRU"
        torch_order_weights(self)
        if type(self).reset_parameters is not TorchGRU.reset_parameters:
            self.reset_parameters()  # a subclass draws in its own way
        self.set_train()

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        torch_set_dropout(self, name, value)
        torch_set_weight(self, name, value)

    @property
    def _all_weights(self):
        return torch_weight_names(self)  # code asks for it to draw the biases of the gates in its own way

    def reset_parameters(self):
        """Draws the parameters again, as PyTorch does."""
        torch_draw_uniform(self.get_parameters(), self.hidden_size**-0.5)

    def construct(self, input, hx=None):
        if isinstance(input, tuple):  # a packed sequence
            return input.through(super().construct, hx, self.batch_first)
        if input.ndim == 3:
            return super().construct(input, hx)
        batch_axis = 0 if self.batch_first else 1
        state = None if hx is None else hx.expand_dims(1)
        output, state = super().construct(input.expand_dims(batch_axis), state)
        return output.squeeze(batch_axis), state.squeeze(1)
