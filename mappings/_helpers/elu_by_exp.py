import mindspore


def elu_by_exp(x):
    """mindspore.ops.elu, written so that it can be differentiated twice."""
    return mindspore.ops.relu(x) + mindspore.ops.exp(-mindspore.ops.relu(-x)) - 1
