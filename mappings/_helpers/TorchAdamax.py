import mindspore


class TorchAdamax(mindspore.experimental.optim.Adamax):
    """MindSpore's Adamax with torch's arguments, where it is handed on."""

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, **options):
        options = torch_optimizer_options(**options)
        super().__init__(torch_named_apart(params), lr, betas, eps, weight_decay, **options)
