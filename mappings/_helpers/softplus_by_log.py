import mindspore


def softplus_by_log(x):
    """mindspore.mint.nn.functional.softplus, written so that it can be differentiated twice."""
    return mindspore.ops.relu(x) + mindspore.ops.log(1 + mindspore.ops.exp(-mindspore.ops.abs(x)))
