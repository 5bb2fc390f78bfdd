import mindspore


class CellListWithNone(mindspore.nn.CellList):
    """A list of cells some of which may be None, as in PyTorch's ModuleList."""

    places = 0

    def __init__(self, modules=()):
        super().__init__()
        self.extend(modules)

    def __len__(self):
        return self.places

    def __iter__(self):
        return iter([self._cells.get(str(place)) for place in range(self.places)])

    def __getitem__(self, index):
        return list(self)[index]

    def __setitem__(self, index, cell):
        place, places = range(self.places)[index], self.places
        self._cells.pop(str(place), None)
        self.places = place
        self.append(cell)
        self.places = places
        for later in range(place + 1, places):  # the order of the weights is that of the places
            if str(later) in self._cells:
                self._cells[str(later)] = self._cells.pop(str(later))

    def __iadd__(self, modules):
        return self.extend(modules)

    def append(self, cell):
        if cell is not None:
            super().append(cell)
        self.places += 1

    def extend(self, modules):
        for cell in modules:
            self.append(cell)
        return self


CellListWithNone.__name__ = "ModuleList"  # code may ask for it
