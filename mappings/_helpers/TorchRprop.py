import mindspore


class TorchRprop(mindspore.experimental.optim.Rprop):
    """MindSpore's Rprop with torch's arguments, where it is handed on."""

    def __init__(
        self,
        params,
        lr=1e-2,
        *args,
        foreach=None,
        capturable=False,
        differentiable=False,
        **options,
    ):
        super().__init__(torch_named_apart(params), lr, *args, **options)
