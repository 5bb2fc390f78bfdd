import mindspore


def torch_selected_sum(input):
    """The sum of what a mask selects, 0 where it selects nothing: MindSpore gives what the memory holds then."""
    if input.size:
        return input.sum()
    nothing = mindspore.ops.zeros((1,), input.dtype)
    return mindspore.ops.cat((input.reshape(-1), nothing)).sum()
