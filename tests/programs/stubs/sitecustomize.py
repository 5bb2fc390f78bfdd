"""Found first on the path of both sides. PROGRAM_STUBS names packages that are made up as empty shells (every name in
them is a class that takes anything); PROGRAM_BLOCKED names packages that cannot be imported, such as torch on
MindSpore's side."""

import importlib.abc
import importlib.machinery
import os
import sys
import types

SHELLS = [name for name in os.environ.get("PROGRAM_STUBS", "").split(",") if name]
BLOCKED = [name for name in os.environ.get("PROGRAM_BLOCKED", "").split(",") if name]


class Made(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


class Anything(metaclass=Made):
    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __call__(self, *args, **kwargs):
        # A shell may stand for a decorator: what it decorates stays as it is.
        return args[0] if args and callable(args[0]) else self


class Shell(types.ModuleType):
    __path__ = ()
    __version__ = "99.0"  # some ask whether a package is new enough

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = type(name, (Anything,), {"__module__": self.__name__})
        setattr(self, name, value)
        return value


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r} (blocked)", name=name)
        if top in SHELLS or name in SHELLS:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return Shell(spec.name)

    def exec_module(self, module):
        pass


if SHELLS or BLOCKED:
    sys.meta_path.insert(0, Finder())
