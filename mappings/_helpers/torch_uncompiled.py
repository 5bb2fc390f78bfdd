def torch_uncompiled(function, *arguments, **options):
    """What PyTorch's jit.script, jit.trace and jit.freeze compile, as it is: PyNative mode runs it without that."""
    return function
