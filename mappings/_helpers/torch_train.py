import mindspore


def torch_train(module, mode=True):
    """PyTorch's train: of a cell, or of another object that has it."""
    return module.set_train(mode) if isinstance(module, mindspore.nn.Cell) else module.train(mode)
