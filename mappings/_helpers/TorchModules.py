import collections.abc

import mindspore


class TorchModules(collections.abc.MutableMapping):
    """PyTorch's _modules, to be written to: the cells in a cell by their names. A cell that is put there is run, and
    its parameters have names of their own."""

    def __init__(self, cell):
        self.cells = cell._cells
        self.cell = cell

    def __getitem__(self, name):
        return self.cells[name]

    def __iter__(self):
        return iter(self.cells)

    def __len__(self):
        return len(self.cells)

    def __setitem__(self, name, module):
        prefix = self._prefix(name)
        for local, parameter in module.parameters_and_names() if module is not None else ():
            parameter.name = prefix + local
        self.cells[name] = module
        self._listed()

    def __delitem__(self, name):
        del self.cells[name]
        self._listed()

    def _prefix(self, name):
        """What the names of parameters there begin with: as of those that were there, or of others in the cell."""
        former = self.cells.get(name)
        for local, parameter in former.parameters_and_names() if former is not None else ():
            if parameter.name.endswith(local):
                return parameter.name[: -len(local)]
        for local, parameter in self.cell.parameters_and_names():
            if parameter.name.endswith(local):
                return f"{parameter.name[: -len(local)]}{name}."
        return f"{name}."

    def _listed(self):
        if isinstance(self.cell, mindspore.nn.SequentialCell):
            self.cell.cell_list = list(self.cells.values())
            self.cell._is_dynamic_name = [False] * len(self.cells)
