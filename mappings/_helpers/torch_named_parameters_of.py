def torch_named_parameters_of(owner):
    """PyTorch's named_parameters: of a cell, or of another object that has a method of that name."""
    own = getattr(type(owner), "named_parameters", None)
    return torch_named_parameters(owner) if own is None else own(owner)
