import mindspore


class TorchLinear(mindspore.nn.Dense):
    """mindspore.nn.Dense with the arguments and attributes of PyTorch's Linear."""

    def __init__(self, in_features, out_features, bias=True, **unused):
        super().__init__(in_features, out_features, has_bias=bool(bias))

    in_features = property(lambda self: self.in_channels)
    out_features = property(lambda self: self.out_channels)
