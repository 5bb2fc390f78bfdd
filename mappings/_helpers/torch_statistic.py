import mindspore


def torch_statistic(tensor):
    """A running statistic of a norm, whose in-place writes the norm sees. It stays the same object."""
    if isinstance(tensor, mindspore.Parameter) and not isinstance(tensor, TorchStatistic):
        tensor.__class__ = type("Parameter", (TorchStatistic, type(tensor)), {})
    return tensor
