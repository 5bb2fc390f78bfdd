import mindspore


def torch_selected_any(input):
    """Whether any of what a mask selects is true; false where it selects nothing, of which MindSpore says true."""
    return mindspore.ops.any(input.bool()) if input.size else mindspore.Tensor(False)
