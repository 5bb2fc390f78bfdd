class TorchOpaqueBase:
    """PyTorch's OpaqueBase: a class that a compiler need not look into."""
