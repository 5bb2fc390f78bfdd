import mindspore


def torch_pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """PyTorch's pad_packed_sequence: the sequences in their own order, padded to one length, and their lengths."""
    lengths, places = sequence.grid()
    lengths = mindspore.Tensor(lengths, mindspore.int64)
    if sequence.unsorted_indices is not None:
        lengths, places = lengths[sequence.unsorted_indices], places[:, sequence.unsorted_indices]
    steps = places.shape[0]
    is_there = mindspore.ops.arange(steps).expand_dims(1) < lengths
    if batch_first:
        places, is_there = places.T, is_there.T
    values = mindspore.ops.gather(sequence.data, places, 0)
    is_there = is_there.reshape(is_there.shape + (1,) * (values.ndim - 2))
    padded = mindspore.ops.where(is_there, values, mindspore.Tensor(padding_value, values.dtype))
    missing = 0 if total_length is None else total_length - steps
    if missing < 0:
        raise ValueError(f"total_length={total_length} is less than the longest sequence, {steps}")
    if missing:
        axis = 1 if batch_first else 0
        shape = [missing if place == axis else size for place, size in enumerate(padded.shape)]
        padded = mindspore.ops.cat(
            [padded, mindspore.ops.full(shape, padding_value, dtype=values.dtype)], axis
        )
    return padded, lengths
