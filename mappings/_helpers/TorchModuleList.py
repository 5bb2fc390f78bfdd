import mindspore


class TorchModuleList(mindspore.nn.CellList):
    """mindspore.nn.CellList that is made of any sequence of cells, as torch's ModuleList."""

    def __init__(self, modules=None):
        super().__init__([] if modules is None else list(modules))
