def torch_compile(model=None, **options):
    """PyTorch's compile, as a function or a decorator: the code computes the same without it, and stays as it is."""
    return (lambda function: function) if model is None else model
