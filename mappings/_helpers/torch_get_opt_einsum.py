def torch_get_opt_einsum():
    """The package opt_einsum if it is installed, as PyTorch's get_opt_einsum; None if not."""
    try:
        import opt_einsum
    except ImportError:
        return None
    return opt_einsum
