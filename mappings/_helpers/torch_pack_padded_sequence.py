import mindspore


def torch_pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """PyTorch's pack_padded_sequence: the padded sequences without their padding, longest first."""
    lengths = [int(length) for length in (lengths.tolist() if hasattr(lengths, "tolist") else lengths)]
    steps, batch = input.shape[1::-1] if batch_first else input.shape[:2]
    if len(lengths) != batch:
        raise RuntimeError(
            f"expected as many lengths as sequences, but got {len(lengths)} (batch_size={batch})"
        )
    if min(lengths) <= 0 or max(lengths) > steps:
        raise RuntimeError(f"lengths of sequences have to be from 1 to {steps}, not {lengths}")
    order = sorted(range(batch), key=lambda row: -lengths[row])
    sorted_indices = None
    if not enforce_sorted:
        sorted_indices = mindspore.Tensor(order, mindspore.int64)
        input = mindspore.ops.gather(input, sorted_indices, 0 if batch_first else 1)
    elif order != list(range(batch)):
        raise RuntimeError("lengths have to be sorted in decreasing order when enforce_sorted is True")
    sizes = [sum(length > step for length in lengths) for step in range(max(lengths))]
    data = torch_flat_steps(input, sizes, batch_first)
    return TorchPackedSequence(data, mindspore.Tensor(sizes, mindspore.int64), sorted_indices)
