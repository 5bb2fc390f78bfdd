import mindspore


class TorchAdaptiveMaxPool1d(mindspore.nn.Cell):
    """torch.nn.AdaptiveMaxPool1d: maximum pooling to a given length."""

    def __init__(self, output_size, return_indices=False):
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def construct(self, input):
        size = self.output_size if isinstance(self.output_size, int) else self.output_size[0]
        rows = input.expand_dims(-2)
        values = mindspore.ops.adaptive_max_pool2d(rows, (1, size), self.return_indices)
        if self.return_indices:
            return tuple(mindspore.ops.squeeze(value, -2) for value in values)
        return mindspore.ops.squeeze(values, -2)
