import mindspore


def torch_tanh(input):
    """The hyperbolic tangent to 1e-6; mindspore.ops.tanh is off by up to 1e-4 on the CPU."""
    return 2 * mindspore.ops.sigmoid(2 * input) - 1
