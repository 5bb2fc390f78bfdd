import mindspore


def torch_embedding(
    input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False
):
    """PyTorch's embedding: the rows of a table; the one for padding learns nothing from them."""
    if scale_grad_by_freq:
        raise NotImplementedError("scale_grad_by_freq is not ported")
    if max_norm is not None:
        torch_renorm_rows(weight, input, max_norm, norm_type)
    rows = mindspore.ops.gather(weight, input, 0)
    if padding_idx is None:
        return rows
    is_padding = (input == padding_idx % weight.shape[0]).expand_dims(-1)
    return mindspore.ops.where(is_padding, mindspore.ops.stop_gradient(rows), rows)
