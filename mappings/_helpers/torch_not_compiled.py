def torch_not_compiled(fn=None, *args, **kwargs):
    """PyTorch's marks for its compilers, as a function or a decorator: the function stays as it is."""
    return (lambda function: function) if fn is None else fn
