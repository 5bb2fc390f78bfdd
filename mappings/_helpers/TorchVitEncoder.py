import collections

import mindspore


class TorchVitEncoder(mindspore.nn.Cell):
    """torchvision's Encoder of Vision Transformer: places are added, then come the blocks and a norm."""

    def __init__(
        self,
        seq_length,
        num_layers,
        num_heads,
        hidden_dim,
        mlp_dim,
        dropout,
        attention_dropout,
        norm_layer=None,
    ):
        super().__init__()
        start = mindspore.ops.standard_normal((1, seq_length, hidden_dim)) * 0.02
        self.pos_embedding = mindspore.Parameter(start)
        self.dropout = mindspore.nn.Dropout(p=float(dropout))
        blocks = {
            f"encoder_layer_{i}": TorchEncoderBlock(
                num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer
            )
            for i in range(num_layers)
        }
        self.layers = mindspore.nn.SequentialCell(collections.OrderedDict(blocks))
        if norm_layer is None:
            self.ln = mindspore.nn.LayerNorm((hidden_dim,), epsilon=1e-6)
        else:
            self.ln = norm_layer(hidden_dim)
        self.set_train()

    def construct(self, input):
        return self.ln(self.layers(self.dropout(input + self.pos_embedding)))
