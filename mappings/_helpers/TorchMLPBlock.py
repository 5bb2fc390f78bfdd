import mindspore


class TorchMLPBlock(mindspore.nn.SequentialCell):
    """torchvision's MLPBlock: two linear layers with gelu and dropout between."""

    def __init__(self, in_dim, mlp_dim, dropout):
        start = {"weight_init": "xavier_uniform", "bias_init": mindspore.common.initializer.Normal(1e-6)}
        super().__init__(
            mindspore.nn.Dense(in_dim, mlp_dim, **start),
            mindspore.nn.GELU(approximate=False),
            mindspore.nn.Dropout(p=float(dropout)),
            mindspore.nn.Dense(mlp_dim, in_dim, **start),
            mindspore.nn.Dropout(p=float(dropout)),
        )
        self.set_train()
