import mindspore


def torch_train(module, *mode):
    """PyTorch's train: of a cell, or of another object that has it, with a mode or without."""
    return module.set_train(*mode) if isinstance(module, mindspore.nn.Cell) else module.train(*mode)
