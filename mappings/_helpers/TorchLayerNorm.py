import mindspore


class TorchLayerNorm(mindspore.nn.LayerNorm):
    """mindspore.nn.LayerNorm with the arguments and attributes of PyTorch's."""

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, **unused):
        shape = normalized_shape if isinstance(normalized_shape, (tuple, list)) else (normalized_shape,)
        super().__init__(tuple(map(int, shape)), epsilon=eps)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        if not elementwise_affine:
            del self.gamma
            self.gamma = None
        if not (elementwise_affine and bias):
            del self.beta
            self.beta = None
        if type(self).reset_parameters is not TorchLayerNorm.reset_parameters:
            self.reset_parameters()  # a subclass draws in its own way

    def __setattr__(self, name, value):
        super().__setattr__({"weight": "gamma", "bias": "beta"}.get(name, name), value)

    weight = property(lambda self: self.gamma)
    bias = property(lambda self: self.beta)

    def reset_parameters(self):
        """Sets the parameters back, as PyTorch does."""
        for part, value in ((self.gamma, 1), (self.beta, 0)):
            if part is not None:
                part[()] = value

    def construct(self, input):
        # The layer's own kernel takes only the last axis reliably.
        axes = tuple(range(-len(self.normalized_shape), 0))
        mean = input.mean(axes, keep_dims=True)
        variance = ((input - mean) ** 2).mean(axes, keep_dims=True)
        output = (input - mean) / mindspore.ops.sqrt(variance + self.eps)
        output = output if self.gamma is None else output * self.gamma
        return output if self.beta is None else output + self.beta


TorchLayerNorm.__name__ = "LayerNorm"  # code may ask for it
