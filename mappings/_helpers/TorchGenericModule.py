class TorchGenericModule(TorchPropModule):
    """PyTorch's GenericModule: a module of settings, among them the precision of float32, which is full."""

    fp32_precision = "none"
