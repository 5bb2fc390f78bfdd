import mindspore


class TorchAdamW(mindspore.experimental.optim.AdamW):
    """MindSpore's AdamW with torch's arguments, where it is handed on."""

    def __init__(
        self,
        params,
        lr=1e-3,
        *args,
        foreach=None,
        fused=None,
        capturable=False,
        differentiable=False,
        **options,
    ):
        super().__init__(torch_named_apart(params), lr, *args, **options)
