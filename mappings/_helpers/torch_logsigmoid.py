import mindspore


def torch_logsigmoid(input):
    """PyTorch's logsigmoid, where it is handed on: `mindspore.ops.logsigmoid` of -90 and less is -inf."""
    return -mindspore.ops.softplus(-input)
