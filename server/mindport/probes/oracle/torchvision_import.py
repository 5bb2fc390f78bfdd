"""torchvision, also where its native library does not load, as beside a torch without CUDA: its Python code then serves
alone, and the operators that this code registers shapes for are declared without kernels."""

from __future__ import annotations

import functools
import importlib
import sys
import types
from typing import Any

from .late_package import forget

_SCHEMAS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)
_kept: list[object] = []  # a library that is collected takes its operators with it


@functools.cache
def import_torchvision() -> types.ModuleType:
    """The package; raises ImportError where it is not installed."""
    try:
        return importlib.import_module("torchvision")
    except RuntimeError:  # an operator that its shapes are registered for does not exist
        forget("torchvision")
        _declare_operators()
        package = importlib.import_module("torchvision")
        module: Any = sys.modules["torchvision.ops.roi_align"]
        module._roi_align = module._roi_align.__wrapped__  # torch.compile would take longer than a sample may
        return package


def _declare_operators() -> None:
    import torch.library

    library = torch.library.Library("torchvision", "DEF")
    for schema in _SCHEMAS:
        library.define(schema)
    _kept.append(library)
