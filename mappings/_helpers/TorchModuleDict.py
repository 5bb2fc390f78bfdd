import mindspore


class TorchModuleDict(mindspore.nn.Cell):
    """A dictionary of cells of any kind, as torch.nn.ModuleDict; they are trained and saved under their keys."""

    def __init__(self, modules=None):
        super().__init__()
        self.update(modules or {})
        self.set_train()

    def __getitem__(self, key):
        return self._cells[key]

    def __setitem__(self, key, cell):
        self._cells.pop(key, None)
        self.insert_child_to_cell(key, cell)

    def __delitem__(self, key):
        del self._cells[key]

    def __len__(self):
        return len(self._cells)

    def __iter__(self):
        return iter(self._cells)

    def __contains__(self, key):
        return key in self._cells

    def keys(self):
        return self._cells.keys()

    def values(self):
        return self._cells.values()

    def items(self):
        return self._cells.items()

    def clear(self):
        self._cells.clear()

    def pop(self, key):
        return self._cells.pop(key)

    def update(self, modules):
        for key, cell in modules.items() if hasattr(modules, "items") else modules:
            self[key] = cell
