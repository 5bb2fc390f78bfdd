import mindspore


class TorchPatchMerging(mindspore.nn.Cell):
    """torchvision's PatchMerging: half as many places with twice as many channels, which come last."""

    def __init__(self, dim, norm_layer=None):
        super().__init__()
        self.dim = dim
        self.reduction = mindspore.nn.Dense(4 * dim, 2 * dim, has_bias=False)
        self.norm = (
            mindspore.nn.LayerNorm((4 * dim,), epsilon=1e-5) if norm_layer is None else norm_layer(4 * dim)
        )
        self.set_train()

    def construct(self, x):
        height, width = x.shape[-3:-1]
        if height % 2 or width % 2:
            x = torch_pad(x, (0, 0, 0, width % 2, 0, height % 2))
        # Slices with steps have no right gradient on CPU.
        *outer, height, width, channels = x.shape
        x = x.reshape(-1, height // 2, 2, width // 2, 2, channels).permute(0, 1, 3, 4, 2, 5)
        return self.reduction(self.norm(x.reshape(*outer, height // 2, width // 2, 4 * channels)))
