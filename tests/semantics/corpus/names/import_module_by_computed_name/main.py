"""Modules imported by a computed name with importlib, and found in sys.modules."""

import importlib
import sys

names = [f"plugins.{name}" for name in ("first", "second")]
modules = [importlib.import_module(name) for name in names]
relative = importlib.import_module(".first", package="plugins")
from plugins import registry

answer = ([m.VALUE for m in modules], relative is modules[0], registry, "plugins.second" in sys.modules)
answer_import = (
    __import__("plugins.first").registry is registry,
    getattr(sys.modules["plugins"], "first").VALUE,
)
