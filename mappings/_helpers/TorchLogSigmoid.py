import mindspore


class TorchLogSigmoid(mindspore.nn.LogSigmoid):
    """mindspore.nn.LogSigmoid that is finite for large negative values, too, as PyTorch's."""

    def construct(self, input):
        return -mindspore.ops.softplus(-input)
