import mindspore


def torch_vjp(func, inputs, v=None, create_graph=False, strict=False):
    """PyTorch's vjp: the value of a function, and a vector times its Jacobian, for a tensor or a tuple of them."""
    several = inputs if isinstance(inputs, tuple) else (inputs,)
    value, back = mindspore.vjp(func, *several)
    gradients = back(mindspore.ops.ones_like(value) if v is None else v)
    return value, gradients if isinstance(inputs, tuple) else gradients[0]
