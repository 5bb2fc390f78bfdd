import mindspore


class TorchWeightParametrization(mindspore.nn.Cell):
    """Makes a weight of the length g and the direction v."""

    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def length(self, value):
        axes = tuple(axis for axis in range(value.ndim) if self.dim is None or axis != self.dim % value.ndim)
        return mindspore.ops.sqrt(mindspore.ops.sum(value * value, axes, self.dim is not None))

    def construct(self, g, v):
        return v * (g / self.length(v))

    def right_inverse(self, weight):
        return self.length(weight), weight
