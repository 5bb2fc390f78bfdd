import mindspore


def torch_add_module(parent, name, module):
    """PyTorch's Module.add_module: registers a child, which a sequence of cells runs last."""
    if name in parent._cells:
        del parent._cells[name]
    parent.insert_child_to_cell(name, module)
    if isinstance(parent, mindspore.nn.SequentialCell):
        parent._is_dynamic_name.append(False)
        parent.cell_list = list(parent._cells.values())
