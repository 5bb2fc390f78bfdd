from plugins import registry
from plugins.first import VALUE as BASE

VALUE = BASE + 1
registry += [__name__]
