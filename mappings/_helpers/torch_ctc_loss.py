import mindspore
import numpy


def torch_ctc_loss(
    log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False
):
    """PyTorch's ctc_loss: takes lengths as lists, too, targets in one row, one after the other, and one sequence."""
    inputs, lengths = (
        mindspore.Tensor(one).reshape(-1).astype(mindspore.int64) for one in (input_lengths, target_lengths)
    )
    is_one = log_probs.ndim == 2
    if is_one:
        log_probs, targets = log_probs.expand_dims(1), targets.reshape(1, -1)
    if targets.ndim == 1:
        sizes = lengths.asnumpy()
        places = (numpy.cumsum(sizes) - sizes)[:, None] + numpy.arange(max(sizes.max(), 1))
        targets = targets[mindspore.Tensor(numpy.minimum(places, len(targets) - 1))]
    targets = targets.astype(mindspore.int64)
    loss = mindspore.ops.ctc_loss(log_probs, targets, inputs, lengths, blank, reduction, zero_infinity)[0]
    return loss[0] if is_one and reduction == "none" else loss
