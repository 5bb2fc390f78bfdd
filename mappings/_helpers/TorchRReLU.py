import mindspore


class TorchRReLU(mindspore.nn.Cell):
    """torch.nn.RReLU: random slopes while training, their mean otherwise."""

    def __init__(self, lower=0.125, upper=0.3333333333333333, inplace=False):
        super().__init__()
        self.lower, self.upper = lower, upper
        self.set_train()

    def construct(self, input):
        return torch_rrelu(input, self.lower, self.upper, self.training)


TorchRReLU.__name__ = "RReLU"  # code may ask for it
