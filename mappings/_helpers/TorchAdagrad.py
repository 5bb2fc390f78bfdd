import mindspore


class TorchAdagrad(mindspore.experimental.optim.Adagrad):
    """MindSpore's Adagrad with torch's arguments, where it is handed on."""

    def __init__(
        self,
        params,
        lr=1e-2,
        lr_decay=0.0,
        weight_decay=0.0,
        initial_accumulator_value=0.0,
        eps=1e-10,
        **options,
    ):
        options = torch_optimizer_options(**options)
        super().__init__(
            torch_named_apart(params), lr, lr_decay, weight_decay, initial_accumulator_value, eps, **options
        )
