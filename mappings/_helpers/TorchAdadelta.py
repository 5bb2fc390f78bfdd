import mindspore


class TorchAdadelta(mindspore.experimental.optim.Adadelta):
    """MindSpore's Adadelta with torch's arguments, where it is handed on."""

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0.0, **options):
        options = torch_optimizer_options(**options)
        super().__init__(torch_named_apart(params), lr, float(rho), eps, weight_decay, **options)
