import mindspore


def torch_remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """PyTorch's remove_parametrizations: the tensor is a parameter again, with its computed value or the stored one."""
    kept = module.parametrizations[tensor_name]
    value = kept() if leave_parametrized else kept.original
    hooks = module._forward_pre_hook
    for key in [key for key, hook in hooks.items() if hook is kept.compute]:
        del hooks[key]
    del module.parametrizations[tensor_name]
    if not len(module.parametrizations):
        del module._cells["parametrizations"]
    object.__delattr__(module, tensor_name)
    is_trained = getattr(kept, kept.stored[0]).requires_grad
    module.insert_param_to_cell(tensor_name, mindspore.Parameter(value * 1, requires_grad=is_trained))
    return module
