import mindspore


class TorchSmoothL1Loss(mindspore.nn.SmoothL1Loss):
    """mindspore.nn.SmoothL1Loss with the arguments of PyTorch's, and its mean where nothing else is asked for."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        reduction = torch_reduction(size_average, reduce, reduction)
        super().__init__(float(beta), reduction)

    def construct(self, input, target):
        if input.shape != target.shape:  # MindSpore's wants them alike
            zeros = mindspore.ops.zeros_like(input - target)
            input, target = input + zeros, target + zeros
        return super().construct(input, target)
