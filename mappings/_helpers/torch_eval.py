import mindspore


def torch_eval(module):
    """PyTorch's eval: of a cell, or of another object that has it."""
    return module.set_train(False) if isinstance(module, mindspore.nn.Cell) else module.eval()
