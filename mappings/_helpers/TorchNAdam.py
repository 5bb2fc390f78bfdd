import mindspore


class TorchNAdam(mindspore.experimental.optim.NAdam):
    """MindSpore's NAdam with torch's arguments, where it is handed on."""

    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, momentum_decay=4e-3, **options
    ):
        options = torch_optimizer_options(("decoupled_weight_decay", "maximize"), **options)
        super().__init__(torch_named_apart(params), lr, betas, eps, weight_decay, momentum_decay, **options)
