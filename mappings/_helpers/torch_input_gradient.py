import functools

import mindspore


@functools.cache
def torch_input_gradient(network, output=None, position=0):
    """A function for the gradient of the sum of a network's outputs, or of one of several, for the input at a position.
    It is compiled once for each network: in PyNative mode a gradient of it would come out wrong where the network has
    views such as flatten."""

    def one_of_several(*inputs):
        return network(*inputs)[output]

    return mindspore.jit(mindspore.grad(network if output is None else one_of_several, position))
