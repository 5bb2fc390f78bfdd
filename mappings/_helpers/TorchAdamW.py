import mindspore


class TorchAdamW(mindspore.experimental.optim.AdamW):
    """MindSpore's AdamW with torch's arguments, where it is handed on."""

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, **options
    ):
        options = torch_optimizer_options(**options)
        super().__init__(torch_named_apart(params), lr, betas, eps, weight_decay, amsgrad, **options)
