import mindspore


class TorchAdaptiveAvgPool1d(mindspore.nn.Cell):
    """torch.nn.AdaptiveAvgPool1d: means over as many parts of the last axis as are asked for, of any length."""

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size[0] if isinstance(output_size, (tuple, list)) else output_size

    def construct(self, input):
        length = input.shape[-1] if self.output_size is None else self.output_size
        return mindspore.ops.adaptive_avg_pool2d(input.expand_dims(-2), (1, length)).squeeze(-2)
