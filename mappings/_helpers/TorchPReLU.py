import mindspore


class TorchPReLU(mindspore.nn.PReLU):
    """mindspore.nn.PReLU with the arguments of PyTorch's PReLU."""

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__(num_parameters, float(init))

    def __setattr__(self, name, value):
        super().__setattr__("w" if name == "weight" else name, value)

    weight = property(lambda self: self.w)
