import mindspore


class TorchRprop(mindspore.experimental.optim.Rprop):
    """MindSpore's Rprop with torch's arguments, where it is handed on."""

    def __init__(self, params, *args, **options):
        options = torch_optimizer_options(**options)
        super().__init__(torch_named_apart(params), *args, **options)
