def torch_perhaps_in_place(inplace, operation, input, *arguments):
    """One of PyTorch's functions with an argument `inplace`: what the operation gives is written into the tensor itself
    where that is true."""
    if not inplace:
        return operation(input, *arguments)
    input[()] = operation(input.copy(), *arguments)
    return input
