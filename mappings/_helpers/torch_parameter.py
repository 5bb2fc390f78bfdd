import mindspore


def torch_parameter(data, requires_grad=True):
    """PyTorch's Parameter, where the name is handed on: a parameter without a name of its own."""
    return mindspore.Parameter(data, requires_grad=requires_grad)
