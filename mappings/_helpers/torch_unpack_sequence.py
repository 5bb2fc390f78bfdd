def torch_unpack_sequence(packed_sequences):
    """PyTorch's unpack_sequence: the sequences of a packed one, each by itself, in their own order."""
    padded, lengths = torch_pad_packed_sequence(packed_sequences, batch_first=True)
    return [row[:length] for row, length in zip(padded, lengths.tolist())]
