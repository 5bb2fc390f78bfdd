def torch_in_place(operation, input, *arguments, **keywords):
    """One of PyTorch's in-place operations, such as add_: what the operation gives is written into the tensor itself.

    It works on a copy, because the values that a gradient needs later would be overwritten."""
    input[()] = operation(input.copy(), *arguments, **keywords)
    return input
