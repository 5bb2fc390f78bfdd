import mindspore


class TorchNormal(mindspore.nn.probability.distribution.Normal):
    """MindSpore's Normal with the arguments of PyTorch's, for code that gets the class handed on."""

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(loc, scale)

    loc = property(lambda self: self.mean())
    scale = property(lambda self: self.sd())
    rsample = mindspore.nn.probability.distribution.Normal.sample

    def expand(self, batch_shape):
        return TorchNormal(*(mindspore.ops.broadcast_to(one, batch_shape) for one in self.default_parameters))

    def _extended_shape(self, sample_shape=()):
        return (*sample_shape, *self.batch_shape)
