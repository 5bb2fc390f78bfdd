def torch_pack_sequence(sequences, enforce_sorted=True):
    """PyTorch's pack_sequence: tensors of several lengths packed along their first axis."""
    sequences = list(sequences)
    lengths = [len(item) for item in sequences]
    return torch_pack_padded_sequence(torch_pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)
