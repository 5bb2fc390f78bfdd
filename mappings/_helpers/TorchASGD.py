import mindspore


class TorchASGD(mindspore.experimental.optim.ASGD):
    """MindSpore's ASGD with torch's arguments, where it is handed on."""

    def __init__(self, params, *args, **options):
        options = torch_optimizer_options(**options)
        super().__init__(torch_named_apart(params), *args, **options)
