import mindspore


class TorchHardsigmoid(mindspore.nn.HSigmoid):
    """mindspore.nn.HSigmoid with the arguments of PyTorch's Hardsigmoid."""

    def __init__(self, inplace=False):
        super().__init__()
