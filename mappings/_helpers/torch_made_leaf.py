def torch_made_leaf(make):
    """What makes a tensor, with PyTorch's `requires_grad` among the options that are handed on: the tensor is marked
    for gradients where that is true."""

    def made(*args, requires_grad=False, **options):
        tensor = make(*args, **options)
        return torch_require_grad(tensor) if requires_grad else tensor

    return made
