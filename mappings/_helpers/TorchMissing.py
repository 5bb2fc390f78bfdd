class TorchMissing:
    """A name of PyTorch that is not ported yet: it can be mentioned, but what is built on it fails when it is used."""

    def __init__(self, name):
        self.__name__ = name

    def __getattr__(self, part):
        if part.startswith("__"):
            raise AttributeError(part)
        return TorchMissing(f"{self.__name__}.{part}")

    def __call__(self, *args, **kwargs):
        if len(args) == 1 and not kwargs and hasattr(args[0], "__qualname__"):  # a decorator
            return TorchMissing(f"{self.__name__}({args[0].__qualname__})")
        raise NotImplementedError(f"{self.__name__} is not ported to MindSpore yet")

    def __mro_entries__(self, bases):
        name = self.__name__

        class Missing:
            def __init__(self, *args, **kwargs):
                raise NotImplementedError(f"{name} is not ported to MindSpore yet")

        return (Missing,)

    def __instancecheck__(self, value):
        return False  # what is not there has made nothing

    def __subclasscheck__(self, other):
        return False

    def __getitem__(self, item):
        return self

    def __or__(self, other):
        return type(None) if other is None else other

    __ror__ = __or__
