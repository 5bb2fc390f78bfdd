import mindspore


def torch_pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """PyTorch's pad_sequence: tensors padded along their first axis to the longest one, and stacked."""
    sequences = list(sequences)
    longest = max(len(item) for item in sequences)
    padded = []
    for item in sequences:
        missing = longest - len(item)
        sides = (0, missing) if padding_side == "right" else (missing, 0)
        padded.append(mindspore.ops.pad(item, (0, 0) * (item.ndim - 1) + sides, value=padding_value))
    return mindspore.ops.stack(padded, 0 if batch_first else 1)
