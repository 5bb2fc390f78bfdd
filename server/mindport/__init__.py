"""mindport takes PyTorch code to MindSpore: findings, hover cards and quick fixes from one core.

`mindport.check(...)` and `mindport.fix(...)` are the Python interface, docs/python.md tells of it. It is loaded when
it is asked for: no command and no editor waits for it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindport.api import (
        Checked,
        ConfigurationError,
        FindingRow,
        FixedFile,
        Fixes,
        TargetRow,
        check,
        fix,
    )

__version__ = "0.1.0"
__all__ = ["Checked", "ConfigurationError", "FindingRow", "FixedFile", "Fixes", "TargetRow", "check", "fix"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("mindport.api"), name)
