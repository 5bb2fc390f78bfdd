import mindspore


def torch_searchsorted(sorted_sequence, input, **options):
    """PyTorch's searchsorted for numbers, and for values that have another dtype than the sequence."""
    values = input if isinstance(input, mindspore.Tensor) else mindspore.tensor(input)
    kinds = [sorted_sequence.dtype]
    if values.ndim or values.is_floating_point() > sorted_sequence.is_floating_point():
        kinds.append(values.dtype)  # a number of the same kind takes the dtype of the sequence
    kind = max(kinds, key=lambda one: (one.is_floating_point, one.itemsize))
    values = values.astype(kind) if values is input else mindspore.tensor(input, dtype=kind)
    return mindspore.ops.searchsorted(sorted_sequence.astype(kind), values, **options)
