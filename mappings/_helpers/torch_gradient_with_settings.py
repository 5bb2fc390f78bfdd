import functools


@functools.lru_cache(64)
def torch_gradient_with_settings(network, settings, output, position):
    """torch_input_gradient of a network with settings by their names, which are constants of a graph: what they are for
    the first time is compiled anew."""
    settings = dict(settings)

    def called(*inputs):
        return network(*inputs, **settings)

    called.__self__ = getattr(network, "__self__", network)
    return torch_input_gradient.__wrapped__(called, output, position)
