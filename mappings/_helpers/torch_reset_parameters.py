def torch_reset_parameters(layer):
    """Draws the parameters of a layer again, or sets them back, as PyTorch's method of that name does."""
    reset = torch_parameter_reset(layer)
    if reset is None:
        raise AttributeError(f"'{type(layer).__name__}' object has no attribute 'reset_parameters'")
    reset()
