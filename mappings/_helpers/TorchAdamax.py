import mindspore


class TorchAdamax(mindspore.experimental.optim.Adamax):
    """MindSpore's Adamax with torch's arguments, where it is handed on."""

    def __init__(
        self,
        params,
        lr=2e-3,
        *args,
        foreach=None,
        capturable=False,
        differentiable=False,
        **options,
    ):
        super().__init__(torch_named_apart(params), lr, *args, **options)
