import mindspore


def TorchWeightNorm(module, name="weight", dim=0):
    """The cell itself; each call computes its weight from two parameters, the length g and the direction v."""
    weight = getattr(module, name)
    axes = tuple(axis for axis in range(weight.ndim) if dim is None or axis != dim % weight.ndim)

    def length(value):
        return mindspore.ops.sqrt((value * value).sum(axis=axes, keepdims=dim is not None))

    def compute(cell, inputs):
        value = getattr(cell, name + "_v")
        object.__setattr__(cell, name, value * (getattr(cell, name + "_g") / length(value)))

    del module._params[name]
    # No result of what may be recorded: such a one takes no gradients.
    start = mindspore.ops.stop_gradient(length(weight))
    module.insert_param_to_cell(name + "_g", mindspore.Parameter(start))
    module.insert_param_to_cell(name + "_v", mindspore.Parameter(weight.copy()))
    compute(module, ())
    module.register_forward_pre_hook(compute)
    object.__setattr__(module, name + "_norm", compute)
    return module
