def torch_parameters_of(owner):
    """PyTorch's parameters: of a cell, or of another object that has a method of that name."""
    own = getattr(type(owner), "parameters", None)
    return torch_parameters(owner) if own is None else own(owner)
