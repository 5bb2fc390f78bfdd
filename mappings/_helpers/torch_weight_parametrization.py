def torch_weight_parametrization(module, name="weight", dim=0):
    """PyTorch's parametrizations.weight_norm: the weight is computed from its length and its direction."""
    return torch_register_parametrization(module, name, TorchWeightParametrization(dim))
