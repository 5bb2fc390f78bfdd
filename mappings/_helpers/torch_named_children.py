import mindspore


def torch_named_children(network):
    """PyTorch's Module.named_children: without the cells that MindSpore's layers keep for their own use."""
    layers = (mindspore.nn.BatchNorm3d, mindspore.nn.LSTM, mindspore.nn.GRU, mindspore.nn.RNN)
    yield from () if isinstance(network, layers) else network.name_cells().items()
