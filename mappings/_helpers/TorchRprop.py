import mindspore


class TorchRprop(mindspore.experimental.optim.Rprop):
    """MindSpore's Rprop with torch's arguments, where it is handed on."""

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), **options):
        options = torch_optimizer_options(**options)
        super().__init__(torch_named_apart(params), lr, etas, step_sizes, **options)
