import mindspore


class TorchRAdam(mindspore.experimental.optim.RAdam):
    """MindSpore's RAdam with torch's arguments, where it is handed on."""

    def __init__(self, params, *args, **options):
        options = torch_optimizer_options(("decoupled_weight_decay", "maximize"), **options)
        super().__init__(torch_named_apart(params), *args, **options)
