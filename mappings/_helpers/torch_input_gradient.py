import functools

import mindspore


@functools.cache
def torch_input_gradient(network):
    """A function for the gradient of the sum of a network's outputs for its input. It is compiled once for each
    network: in PyNative mode a gradient of it would come out wrong where the network has views such as flatten."""
    return mindspore.jit(mindspore.grad(network))
