"""Finds the user's file as a module and builds what an entry says: `Net(10)`, `resnet18(num_classes=5).features`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any


class EntryError(Exception):
    """The entry cannot be evaluated; the message is for the user."""


def load_module(file: str) -> ModuleType:
    """Import the file: under its full name where it lies in a package, so that relative imports work, else by
    itself with its folder on the path."""
    path = Path(file).resolve()
    parts = [path.stem] if path.stem != "__init__" else []
    folder = path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    sys.path.insert(0, str(folder))
    return importlib.import_module(".".join(parts))


def build(module: ModuleType, entry: str) -> Any:
    """The value of the entry, an expression in the names of the module. Raises EntryError where it is none."""
    try:
        code = compile(entry, "<entry>", "eval")
    except SyntaxError as error:
        raise EntryError(f"the entry {entry!r} is no expression: {error.msg}") from None
    return eval(code, vars(module))
