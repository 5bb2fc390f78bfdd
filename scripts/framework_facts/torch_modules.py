"""The public modules of torch, found by their files, and stand-ins for packages some of them need."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SKIPPED = re.compile(
    r"^torch\.(?:testing\._|utils\.benchmark\.examples|utils\.data\.datapipes\.gen_pyi|contrib)"
)


class _AnyName(type):
    """A class whose every attribute is a class again."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _AnyName(name, (), {})


class MissingPackages(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for optional packages, so that the modules that need them can be read all the same."""

    names = ("tensorboard", "urllib3")

    def find_spec(
        self, name: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] not in self.names:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = types.ModuleType(spec.name)
        module.__version__ = "2.20.0"  # type: ignore[attr-defined]
        module.__getattr__ = lambda name: getattr(_ANY_NAME, name)  # type: ignore[method-assign]
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing to run."""


_ANY_NAME = _AnyName("AnyName", (), {})


def module_names(package: Path, prefix: str) -> Iterator[str]:
    """Dotted names of the public modules below `package`, by its files."""
    for path in sorted(package.iterdir()):
        name = path.stem if path.suffix == ".py" else path.name
        if not name.isidentifier() or name.startswith("_") or SKIPPED.match(f"{prefix}.{name}"):
            continue
        if path.suffix == ".py":
            yield f"{prefix}.{name}"
        elif (path / "__init__.py").exists():
            yield f"{prefix}.{name}"
            yield from module_names(path, f"{prefix}.{name}")
