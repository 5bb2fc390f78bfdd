import mindspore


def torch_smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """mindspore.ops.smooth_l1_loss with the arguments and defaults of PyTorch's."""
    if reduce is False:
        reduction = "none"
    elif size_average is not None:
        reduction = "mean" if size_average else "sum"
    if beta == 0:
        return mindspore.ops.l1_loss(input, target, reduction)
    if input.shape != target.shape:  # MindSpore's wants them alike
        zeros = mindspore.ops.zeros_like(input - target)
        input, target = input + zeros, target + zeros
    return mindspore.ops.smooth_l1_loss(input, target, beta, reduction)
