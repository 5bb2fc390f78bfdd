import mindspore


class TorchMultiheadAttention(mindspore.nn.MultiheadAttention):
    """mindspore.nn.MultiheadAttention that is made and called like PyTorch's."""

    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        device=None,
        dtype=None,
    ):
        options = {} if dtype is None else {"dtype": dtype}
        super().__init__(
            embed_dim,
            num_heads,
            float(dropout),
            bool(bias),
            add_bias_kv,
            add_zero_attn,
            kdim,
            vdim,
            batch_first,
            **options,
        )
        torch_attention_start(self)
        self.set_train()

    def __call__(self, query, key, value, *args, **kwargs):
        return super().__call__(query, key, value, *args, **kwargs)

    def construct(
        self,
        query,
        key,
        value,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
        is_causal=False,
    ):
        result = super().construct(
            query, key, value, key_padding_mask, need_weights, attn_mask, average_attn_weights
        )
        return result if need_weights else (result[0], None)
