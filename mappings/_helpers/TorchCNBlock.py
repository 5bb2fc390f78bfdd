import mindspore


class TorchCNBlock(mindspore.nn.Cell):
    """torchvision's CNBlock of ConvNeXt; whole samples may go around it while training."""

    def __init__(self, dim, layer_scale, stochastic_depth_prob, norm_layer=None):
        super().__init__()
        self.block = mindspore.nn.SequentialCell(
            mindspore.nn.Conv2d(dim, dim, 7, pad_mode="pad", padding=3, group=dim, has_bias=True),
            mindspore.nn.Identity(),
            mindspore.nn.LayerNorm((dim,), epsilon=1e-6) if norm_layer is None else norm_layer(dim),
            mindspore.nn.Dense(dim, 4 * dim),
            mindspore.nn.GELU(approximate=False),
            mindspore.nn.Dense(4 * dim, dim),
        )
        scale = layer_scale * mindspore.ops.ones((dim, 1, 1), mindspore.float32)
        self.layer_scale = mindspore.Parameter(scale)
        self.kept = 1.0 - stochastic_depth_prob
        self.set_train()

    def construct(self, input):
        x = self.block[0](input).permute(0, 2, 3, 1)
        for i in range(2, 6):
            x = self.block[i](x)
        result = self.layer_scale * x.permute(0, 3, 1, 2)
        if self.training and self.kept < 1.0:
            chosen = mindspore.ops.floor(mindspore.ops.rand(len(input), 1, 1, 1) + self.kept)
            result = result * chosen / (self.kept or 1.0)
        return result + input
