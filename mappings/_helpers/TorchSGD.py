import mindspore


class TorchSGD(mindspore.experimental.optim.SGD):
    """MindSpore's SGD with PyTorch's arguments, where nobody sees which of them are passed."""

    def __init__(
        self,
        params,
        lr=1e-3,
        momentum=0,
        dampening=0,
        weight_decay=0,
        nesterov=False,
        *,
        maximize=False,
        foreach=None,
        differentiable=False,
        fused=None,
    ):
        settings = (float(momentum), float(dampening), float(weight_decay), nesterov)
        super().__init__(torch_named_apart(params), lr, *settings, maximize=maximize)
