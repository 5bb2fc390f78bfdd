import mindspore


class TorchAdadelta(mindspore.experimental.optim.Adadelta):
    """MindSpore's Adadelta with torch's arguments, where it is handed on."""

    def __init__(
        self,
        params,
        lr=1.0,
        *args,
        foreach=None,
        capturable=False,
        differentiable=False,
        **options,
    ):
        super().__init__(torch_named_apart(params), lr, *args, **options)
