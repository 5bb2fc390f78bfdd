def torch_jit_fork(func, *args, **kwargs):
    """PyTorch's jit.fork, which calls the function at once and gives its result."""
    return func(*args, **kwargs)
