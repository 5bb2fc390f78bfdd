import mindspore


class TorchASGD(mindspore.experimental.optim.ASGD):
    """MindSpore's ASGD with torch's arguments, where it is handed on."""

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
