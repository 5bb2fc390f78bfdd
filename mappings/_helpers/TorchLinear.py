import mindspore


class TorchLinear(mindspore.nn.Dense):
    """mindspore.nn.Dense with the arguments and attributes of PyTorch's Linear, also for no rows."""

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__(in_features, out_features, has_bias=bool(bias))
        self.in_features, self.out_features = in_features, out_features
        if type(self).reset_parameters is not TorchLinear.reset_parameters:
            self.reset_parameters()  # a subclass draws in its own way

    def reset_parameters(self):
        """Draws the parameters again, as PyTorch does."""
        uniform = mindspore.common.initializer.Uniform(self.in_channels**-0.5)
        for part in (self.weight, self.bias):
            if part is not None:
                part[:] = mindspore.common.initializer.initializer(
                    uniform, part.shape, part.dtype
                ).init_data()

    def construct(self, input):
        return torch_linear(input, self.weight, self.bias)
