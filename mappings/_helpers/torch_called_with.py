import functools


@functools.lru_cache(64)
def torch_called_with(network, settings):
    """A function that calls a network with settings by their names, which are constants of a graph."""
    settings = dict(settings)

    def called(*inputs):
        return network(*inputs, **settings)

    called.__self__ = getattr(network, "__self__", network)
    return called
