"""torchaudio without its native library, which does not load beside a torch without CUDA: its Python code serves
alone, as it does where the library is not installed."""

from __future__ import annotations

import functools
import importlib
import sys
import types
from typing import Any

from .late_package import forget


@functools.cache
def import_torchaudio() -> types.ModuleType:
    """The package; raises ImportError where it is not installed."""
    try:
        return importlib.import_module("torchaudio")
    except OSError:
        forget("torchaudio")
        sys.modules["torchaudio._extension"] = _without_library()
        return importlib.import_module("torchaudio")


def _without_library() -> types.ModuleType:
    """What the module that loads the library says where there is none."""
    module: Any = types.ModuleType("torchaudio._extension")
    module._IS_TORCHAUDIO_EXT_AVAILABLE = False
    module._load_lib = lambda name: False
    module.fail_if_no_align = lambda function: function
    return module  # type: ignore[no-any-return]
