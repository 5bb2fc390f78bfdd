import mindspore


def torch_named_modules(network):
    """PyTorch's Module.named_modules: without the cells that MindSpore's layers keep for their own use."""
    layers = (mindspore.nn.BatchNorm3d, mindspore.nn.LSTM, mindspore.nn.GRU, mindspore.nn.RNN)
    found = list(network.cells_and_names())
    inner = {id(part) for _, cell in found if isinstance(cell, layers) for part in cell.cells()}
    yield from ((name, cell) for name, cell in found if id(cell) not in inner)
