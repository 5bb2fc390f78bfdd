import collections

import mindspore


class TorchVisionTransformer(mindspore.nn.Cell):
    """torchvision's VisionTransformer, with its names of layers and its initial weights."""

    def __init__(
        self,
        image_size,
        patch_size,
        num_layers,
        num_heads,
        hidden_dim,
        mlp_dim,
        dropout=0.0,
        attention_dropout=0.0,
        num_classes=1000,
        representation_size=None,
        norm_layer=None,
    ):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.conv_proj = mindspore.nn.Conv2d(
            3,
            hidden_dim,
            patch_size,
            patch_size,
            "valid",
            has_bias=True,
            weight_init=mindspore.common.initializer.TruncatedNormal((3 * patch_size**2) ** -0.5),
            bias_init="zeros",
        )
        self.class_token = mindspore.Parameter(mindspore.ops.zeros((1, 1, hidden_dim)))
        self.seq_length = (image_size // patch_size) ** 2 + 1
        self.encoder = TorchVitEncoder(
            self.seq_length,
            num_layers,
            num_heads,
            hidden_dim,
            mlp_dim,
            dropout,
            attention_dropout,
            norm_layer,
        )
        heads = collections.OrderedDict()
        if representation_size is not None:
            start = mindspore.common.initializer.TruncatedNormal(hidden_dim**-0.5)
            heads["pre_logits"] = mindspore.nn.Dense(
                hidden_dim, representation_size, weight_init=start, bias_init="zeros"
            )
            heads["act"] = mindspore.nn.Tanh()
        heads["head"] = mindspore.nn.Dense(
            representation_size or hidden_dim, num_classes, weight_init="zeros", bias_init="zeros"
        )
        self.heads = mindspore.nn.SequentialCell(heads)
        self.set_train()

    def construct(self, x):
        x = self.conv_proj(x).reshape(len(x), self.hidden_dim, -1).permute(0, 2, 1)
        token = mindspore.ops.broadcast_to(self.class_token, (len(x), 1, self.hidden_dim))
        return self.heads(self.encoder(mindspore.ops.cat((token, x), 1))[:, 0])
