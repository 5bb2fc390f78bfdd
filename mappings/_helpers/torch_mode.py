import mindspore


def torch_mode(input, dim=-1, keepdim=False):
    """PyTorch's mode: the smallest of the most frequent values of each row, and a place where it stands."""
    values, places = (part.moveaxis(dim, -1) for part in mindspore.ops.sort(input, dim))
    counts = (values.expand_dims(-1) == values.expand_dims(-2)).astype(mindspore.int32).sum(-1)
    first = mindspore.ops.argmax(counts, -1, True)
    found = mindspore.ops.gather_elements(values, -1, first)
    last = first + mindspore.ops.gather_elements(counts, -1, first) - 1
    at = mindspore.ops.gather_elements(places, -1, last).astype(mindspore.int64)
    found, at = found.squeeze(-1), at.squeeze(-1)
    return (found.expand_dims(dim), at.expand_dims(dim)) if keepdim else (found, at)
