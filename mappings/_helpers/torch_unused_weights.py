def torch_unused_weights(module):
    """The ids of gamma and beta in norms that learn none (`affine=False`): PyTorch's have no such parameters."""
    layers = ("mindspore.nn.layer", "mindspore.mint.nn.layer")
    return {
        id(parameter)
        for _, cell in module.cells_and_names()
        if getattr(cell, "affine", True) is False
        and any(kind.__module__.startswith(layers) for kind in type(cell).__mro__)
        for name, parameter in cell.parameters_and_names(expand=False)
        if name.rpartition(".")[2] in ("gamma", "beta", "weight", "bias")
    }
