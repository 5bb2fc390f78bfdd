import mindspore


def torch_rrelu(input, lower=0.125, upper=0.3333333333333333, training=False, inplace=False):
    """PyTorch's rrelu: random slopes while training, their mean otherwise, where MindSpore's draws them, too."""
    if training:
        return mindspore.ops.rrelu(input, lower, upper)
    return mindspore.ops.leaky_relu(input, (lower + upper) / 2)
