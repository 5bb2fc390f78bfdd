import mindspore


def torch_jvp(func, inputs, v, create_graph=False, strict=False):
    """PyTorch's jvp: the value of a function, and its Jacobian times a vector, for a tensor or a tuple of them."""
    if isinstance(inputs, tuple) and len(inputs) == 1:
        return mindspore.jvp(func, *inputs, *v)
    return mindspore.jvp(func, inputs, v)
