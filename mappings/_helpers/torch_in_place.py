def torch_in_place(operation, input, *arguments, **keywords):
    """One of PyTorch's in-place operations, such as add_: what the operation gives is written into the tensor itself,
    if there is anything to write.

    It works on a copy, because the values that a gradient needs later would be overwritten."""
    if input.size:
        input[()] = operation(input.copy(), *arguments, **keywords)
    return input
