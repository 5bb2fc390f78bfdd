def torch_is_parametrized(module, tensor_name=None):
    """Whether tensors of a cell, or that of a name, are computed by cells that were registered for it."""
    kept = module._cells.get("parametrizations")
    return kept is not None and (tensor_name is None or tensor_name in kept)
