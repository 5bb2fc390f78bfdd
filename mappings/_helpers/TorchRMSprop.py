import mindspore


class TorchRMSprop(mindspore.experimental.optim.RMSprop):
    """MindSpore's RMSprop with torch's arguments, where it is handed on."""

    def __init__(
        self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0, centered=False, **options
    ):
        options = torch_optimizer_options(**options)
        super().__init__(
            torch_named_apart(params), lr, alpha, eps, weight_decay, momentum, centered, **options
        )
