def torch_requires_grad(tensor):
    """PyTorch's requires_grad: of a Parameter whether it is trained, of any other tensor whether a gradient that is
    being recorded depends on it."""
    of_parameter = getattr(tensor, "requires_grad", None)
    if of_parameter is not None:
        return of_parameter
    return bool(getattr(tensor, "_requires_grad", False)) and tensor.is_floating_point()
