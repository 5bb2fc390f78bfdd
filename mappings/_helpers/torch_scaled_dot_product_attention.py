import mindspore


def torch_scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    """PyTorch's functional.scaled_dot_product_attention, by its definition: it builds the whole score matrix."""
    if enable_gqa:
        groups = query.shape[-3] // key.shape[-3]
        key, value = (heads.repeat_interleave(groups, -3) for heads in (key, value))
    scores = mindspore.ops.matmul(query, key.swapaxes(-2, -1))
    scores = scores * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        attn_mask = mindspore.ops.tril(mindspore.ops.ones(scores.shape[-2:])) > 0
    if attn_mask is not None:
        if attn_mask.dtype == mindspore.bool_:
            scores = scores.masked_fill(~attn_mask, float("-inf"))
        else:
            scores = scores + attn_mask
    weights = mindspore.ops.softmax(scores, -1)
    if dropout_p > 0:
        weights = mindspore.ops.dropout(weights, float(dropout_p))
    return mindspore.ops.matmul(weights, value)
