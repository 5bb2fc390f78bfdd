import mindspore


def torch_cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """PyTorch's cross_entropy, of classes that may be ruled out by minus infinity: mindspore.ops.cross_entropy also
    adds these up, times zero, which is NaN."""
    if label_smoothing or target.shape == input.shape:
        return mindspore.ops.cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing)
    logarithms = mindspore.ops.log_softmax(input, 1 if input.ndim > 1 else 0)
    return torch_nll_loss(logarithms, target, weight, ignore_index, reduction)
