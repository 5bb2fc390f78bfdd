import mindspore


class TorchTransformerEncoderLayer(mindspore.nn.TransformerEncoderLayer):
    """mindspore.nn.TransformerEncoderLayer with the arguments of PyTorch's, also without biases; it starts in training
    mode."""

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        **unused,
    ):
        super().__init__(
            d_model,
            nhead,
            dim_feedforward,
            float(dropout),
            activation,
            layer_norm_eps,
            batch_first,
            norm_first,
        )
        if not bias:
            self.self_attn = mindspore.nn.MultiheadAttention(
                d_model, nhead, float(dropout), has_bias=False, batch_first=batch_first
            )
            self.dense1 = mindspore.nn.Dense(d_model, dim_feedforward, has_bias=False)
            self.dense2 = mindspore.nn.Dense(dim_feedforward, d_model, has_bias=False)
            self.norm1.beta.requires_grad = self.norm2.beta.requires_grad = False
        torch_attention_start(self)
        self.set_train()


TorchTransformerEncoderLayer.__name__ = "TransformerEncoderLayer"  # code may ask for it
