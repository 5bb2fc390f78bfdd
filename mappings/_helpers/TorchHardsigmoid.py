import mindspore


class TorchHardsigmoid(mindspore.nn.HSigmoid):
    """mindspore.nn.HSigmoid with the arguments of torch.nn.Hardsigmoid."""

    def __init__(self, inplace=False):
        super().__init__()
