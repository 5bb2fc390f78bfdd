import mindspore


class TorchELU(mindspore.nn.ELU):
    """mindspore.nn.ELU with the arguments of PyTorch's ELU; MindSpore's takes no other alpha than 1 on CPU."""

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = float(alpha)

    def construct(self, x):
        if self.alpha == 1:
            return super().construct(x)
        below = mindspore.ops.exp(mindspore.ops.where(x > 0, 0, x)) - 1
        return mindspore.ops.where(x > 0, x, self.alpha * below)
