import mindspore


def torch_start_training(cell, *given):
    """Training mode for a new cell and for what it made itself; what it was given keeps its mode, as in PyTorch."""
    modes, pending = [], list(given)
    for one in pending:
        if isinstance(one, mindspore.nn.Cell):
            modes += [(each, each.training) for _, each in one.cells_and_names()]
        elif isinstance(one, (list, tuple)):
            pending += one
        elif isinstance(one, dict):
            pending += one.values()
    mindspore.nn.Cell.add_flags_recursive(cell, training=True)
    for each, mode in modes:
        each.add_flags(training=mode)
