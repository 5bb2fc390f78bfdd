def torch_parameters_of(owner):
    """PyTorch's parameters: of a cell, or of another object that has a method of that name."""
    has_own = callable(getattr(type(owner), "parameters", None))
    return owner.parameters() if has_own else torch_parameters(owner)
