import mindspore


def TorchRemoveWeightNorm(module, name="weight"):
    """The cell itself, with the weight that TorchWeightNorm computes as its parameter again."""
    compute = getattr(module, name + "_norm")
    # The handle of a copied cell is that of the other one.
    hooks = module._forward_pre_hook
    for key in [key for key, hook in hooks.items() if hook is compute]:
        del hooks[key]
    compute(module, ())
    weight = mindspore.Parameter(getattr(module, name).copy())
    for attribute in (name, name + "_norm"):
        object.__delattr__(module, attribute)
    del module._params[name + "_g"], module._params[name + "_v"]
    module.insert_param_to_cell(name, weight)
    return module
