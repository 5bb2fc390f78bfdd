def torch_named_parameters_of(owner):
    """PyTorch's named_parameters: of a cell, or of another object that has a method of that name."""
    has_own = callable(getattr(type(owner), "named_parameters", None))
    return owner.named_parameters() if has_own else torch_named_parameters(owner)
