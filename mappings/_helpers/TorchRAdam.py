import mindspore


class TorchRAdam(mindspore.experimental.optim.RAdam):
    """MindSpore's RAdam with torch's arguments, where it is handed on."""

    def __init__(
        self,
        params,
        lr=1e-3,
        *args,
        foreach=None,
        capturable=False,
        differentiable=False,
        decoupled_weight_decay=False,
        maximize=False,
        **options,
    ):
        if decoupled_weight_decay or maximize:
            raise NotImplementedError(
                "mindspore.experimental.optim.RAdam has neither decoupled weight decay nor maximize"
            )
        super().__init__(torch_named_apart(params), lr, *args, **options)
