import mindspore


def torch_kthvalue(input, k, dim=-1, keepdim=False):
    """PyTorch's kthvalue: the k-th smallest of each row and its place, by sorting."""
    values, places = (part.moveaxis(dim, -1)[..., k - 1] for part in mindspore.ops.sort(input, dim))
    places = places.astype(mindspore.int64)
    return (values.expand_dims(dim), places.expand_dims(dim)) if keepdim else (values, places)
