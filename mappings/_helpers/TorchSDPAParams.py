class TorchSDPAParams:
    """PyTorch's SDPAParams: the arguments of attention, to ask about."""

    def __init__(self, query, key, value, attn_mask, dropout, is_causal, enable_gqa):
        self.query = query
        self.key = key
        self.value = value
        self.attn_mask = attn_mask
        self.dropout = dropout
        self.is_causal = is_causal
        self.enable_gqa = enable_gqa
