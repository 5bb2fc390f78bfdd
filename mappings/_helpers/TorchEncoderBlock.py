import mindspore


class TorchEncoderBlock(mindspore.nn.Cell):
    """torchvision's EncoderBlock: attention, then two linear layers, each with a way around it."""

    def __init__(self, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer=None):
        super().__init__()

        def norm():
            if norm_layer is None:
                return mindspore.nn.LayerNorm((hidden_dim,), epsilon=1e-6)
            return norm_layer(hidden_dim)

        self.num_heads = num_heads
        self.ln_1 = norm()
        self.self_attention = mindspore.nn.MultiheadAttention(
            hidden_dim, num_heads, dropout=float(attention_dropout), batch_first=True
        )
        self.dropout = mindspore.nn.Dropout(p=float(dropout))
        self.ln_2 = norm()
        self.mlp = TorchMLPBlock(hidden_dim, mlp_dim, dropout)
        self.set_train()

    def construct(self, input):
        x = self.ln_1(input)
        x = self.dropout(self.self_attention(x, x, x, need_weights=False)[0]) + input
        return x + self.mlp(self.ln_2(x))
