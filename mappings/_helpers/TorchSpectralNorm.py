import mindspore


def TorchSpectralNorm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """The cell itself; from now on each call divides its weight by the largest singular value, which is followed by
    power iteration in training mode."""
    if dim is None:
        transposed = (
            mindspore.nn.Conv1dTranspose,
            mindspore.nn.Conv2dTranspose,
            mindspore.nn.Conv3dTranspose,
        )
        dim = int(isinstance(module, transposed))
    weight = getattr(module, name)

    def matrix(value):
        order = (dim, *(axis for axis in range(value.ndim) if axis != dim))
        return mindspore.ops.transpose(value, order).reshape(value.shape[dim], -1)

    def unit(vector):
        return vector / mindspore.ops.maximum(mindspore.ops.sqrt((vector * vector).sum()), eps)

    def compute(cell, inputs):
        full = getattr(cell, name + "_orig")
        u, v = getattr(cell, name + "_u"), getattr(cell, name + "_v")
        if cell.training:
            fixed = mindspore.ops.stop_gradient(matrix(full))
            new_u, new_v = u, v
            for _ in range(n_power_iterations):
                new_v = unit(mindspore.ops.matmul(fixed.T, new_u))
                new_u = unit(mindspore.ops.matmul(fixed, new_v))
            u.set_data(new_u)
            v.set_data(new_v)
        u, v = mindspore.ops.stop_gradient(u * 1), mindspore.ops.stop_gradient(v * 1)
        largest = (u * mindspore.ops.matmul(matrix(full), v)).sum()
        object.__setattr__(cell, name, full / largest)

    flat = matrix(weight)
    del module._params[name]
    module.insert_param_to_cell(name + "_orig", mindspore.Parameter(weight.copy()))
    for side, size in (("_u", flat.shape[0]), ("_v", flat.shape[1])):
        vector = unit(mindspore.ops.standard_normal((size,))).astype(weight.dtype)
        kept = mindspore.Parameter(vector, requires_grad=False)
        kept.is_buffer = True  # which PyTorch keeps it as
        module.insert_param_to_cell(name + side, kept)
    # Until the first call both have one memory, as in PyTorch: who initialises the weight writes to the parameter.
    object.__setattr__(module, name, getattr(module, name + "_orig"))
    module.register_forward_pre_hook(compute)
    return module
