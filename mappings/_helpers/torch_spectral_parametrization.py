import mindspore


def torch_spectral_parametrization(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """PyTorch's parametrizations.spectral_norm: the weight is divided by its largest singular value."""
    if dim is None:
        transposed = (
            mindspore.nn.Conv1dTranspose,
            mindspore.nn.Conv2dTranspose,
            mindspore.nn.Conv3dTranspose,
        )
        dim = int(isinstance(module, transposed))
    cell = TorchSpectralParametrization(getattr(module, name), n_power_iterations, eps, dim)
    return torch_register_parametrization(module, name, cell)
