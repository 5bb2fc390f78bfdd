import types


class TorchPropModule(types.ModuleType):
    """PyTorch's PropModule: a module that hands on what it does not have itself."""

    def __init__(self, m, name):
        super().__init__(name)
        self.m = m

    def __getattr__(self, attr):
        return getattr(self.__dict__["m"], attr)
