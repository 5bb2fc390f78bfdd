import functools

import mindspore


@functools.cache
def torch_input_gradient(network, output=None):
    """A function for the gradient of the sum of a network's outputs, or of one of several, for its input. It is
    compiled once for each network: in PyNative mode a gradient of it would come out wrong where the network has views
    such as flatten."""
    if output is None:
        return mindspore.jit(mindspore.grad(network))

    def one_of_several(x):
        return network(x)[output]

    return mindspore.jit(mindspore.grad(one_of_several))
