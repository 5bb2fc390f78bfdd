import mindspore


class TorchASGD(mindspore.experimental.optim.ASGD):
    """MindSpore's ASGD with torch's arguments, where it is handed on."""

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0.0, **options):
        options = torch_optimizer_options(**options)
        super().__init__(
            torch_named_apart(params), lr, float(lambd), alpha, float(t0), weight_decay, **options
        )
