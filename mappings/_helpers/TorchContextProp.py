class TorchContextProp:
    """PyTorch's ContextProp: a setting that two functions read and write."""

    def __init__(self, getter, setter):
        self.getter = getter
        self.setter = setter

    def __get__(self, obj, objtype):
        return self.getter()

    def __set__(self, obj, val):
        self.setter(val)
