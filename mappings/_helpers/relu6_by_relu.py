import mindspore


def relu6_by_relu(x):
    """mindspore.ops.relu6, written so that it can be differentiated twice."""
    return mindspore.ops.relu(x) - mindspore.ops.relu(x - 6)
