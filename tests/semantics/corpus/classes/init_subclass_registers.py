"""__init_subclass__ runs for each subclass, with the keywords of its class statement."""


class Plugin:
    registry = {}

    def __init_subclass__(cls, /, key=None, **rest):
        super().__init_subclass__(**rest)
        Plugin.registry[key or cls.__name__.lower()] = cls.size
        cls.key = key

    size = 0


class Small(Plugin):
    size = 1


class Large(Plugin, key="L"):
    size = 2


class Larger(Large, key="XL"):
    pass


answer = (Plugin.registry, Small.key, Larger.key, Larger.size)
