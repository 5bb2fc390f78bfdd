import mindspore


def torch_add_module(module, name, child):
    """PyTorch's Module.add_module: registers a child, which a sequence of cells runs last."""
    if name in module._cells:
        del module._cells[name]
    module.insert_child_to_cell(name, child)
    if isinstance(module, mindspore.nn.SequentialCell):
        module._is_dynamic_name.append(False)
        module.cell_list = list(module._cells.values())
