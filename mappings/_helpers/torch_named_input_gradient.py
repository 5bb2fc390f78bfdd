import inspect

import mindspore


def torch_named_input_gradient(network, output=None, position=0):
    """torch_input_gradient of a network that gets some of its arguments by their names: tensors are put at their
    places, settings are constants of a graph."""

    def gradient(*inputs, **named):
        if any(isinstance(one, mindspore.Tensor) for one in named.values()):
            run = network.construct if isinstance(network, mindspore.nn.Cell) else network
            bound = inspect.signature(run).bind(*inputs, **named)
            bound.apply_defaults()
            if bound.kwargs:
                raise NotImplementedError("a gradient of a network takes tensors at their places only")
            return torch_input_gradient(network, output, position)(*bound.args)
        settings = tuple(named.items())
        return torch_gradient_with_settings(network, settings, output, position)(*inputs)

    return gradient
