import mindspore


def torch_atan2(input, other):
    """PyTorch's atan2: where both are 0 the gradient is 0, where MindSpore's is NaN; whole numbers are taken, too."""
    input, other = (
        one if one.is_floating_point() else one.astype(mindspore.float32) for one in (input, other)
    )
    is_nowhere = mindspore.ops.stop_gradient(mindspore.ops.logical_and(input == 0, other == 0))
    angle = mindspore.ops.atan2(input, other + mindspore.ops.stop_gradient(is_nowhere.astype(other.dtype)))
    return mindspore.ops.where(
        is_nowhere, mindspore.ops.stop_gradient(mindspore.ops.atan2(input, other)), angle
    )
