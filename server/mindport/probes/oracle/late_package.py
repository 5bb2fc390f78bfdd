"""Packages of torch's family that an example may name, and that few do: they are imported when they are used."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any


class LatePackage:
    """Stands for a package in the names of an example, and imports it when it is used."""

    def __init__(self, imported: Callable[[], types.ModuleType]) -> None:
        self._imported = imported

    def __getattr__(self, name: str) -> Any:
        return getattr(self._imported(), name)


def forget(package: str) -> None:
    """Leave nothing of a package that was imported by half."""
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
