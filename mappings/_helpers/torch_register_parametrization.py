import mindspore


def torch_register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """PyTorch's register_parametrization: the cell's tensor is from now on what the given one makes of
    what is stored."""
    if not torch_is_parametrized(module):
        module.insert_child_to_cell("parametrizations", mindspore.nn.CellDict())
    if tensor_name not in module.parametrizations:
        kept = TorchParametrizationList(module, tensor_name, parametrization)
        module.parametrizations[tensor_name] = kept
    kept = module.parametrizations[tensor_name]
    kept.append(parametrization)
    parametrization.set_train(module.training)
    kept.compute(module, ())
    return module
