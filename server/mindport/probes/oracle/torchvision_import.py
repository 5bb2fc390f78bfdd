"""torchvision, also where its native library does not load, as beside a torch without CUDA: its Python code then serves
alone, and the operators that this code registers shapes for are declared without kernels."""

from __future__ import annotations

import functools
import importlib
import sys
import types
from typing import Any

_SCHEMAS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width,"
    " int sampling_ratio, bool aligned) -> Tensor",
)
_kept: list[object] = []  # a library that is collected takes its operators with it


@functools.cache
def import_torchvision() -> types.ModuleType:
    """The package; raises ImportError where it is not installed."""
    try:
        return importlib.import_module("torchvision")
    except RuntimeError:  # an operator that its shapes are registered for does not exist
        for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
            del sys.modules[name]
        _declare_operators()
        return importlib.import_module("torchvision")


class LateTorchvision:
    """Stands for the package in the names of an example, and imports it when it is used."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_torchvision(), name)


def _declare_operators() -> None:
    import torch.library

    library = torch.library.Library("torchvision", "DEF")
    for schema in _SCHEMAS:
        library.define(schema)
    library.impl("roi_align", _roi_align, "CompositeImplicitAutograd")
    _kept.append(library)


def _roi_align(*arguments: Any) -> Any:
    """torchvision's own version in Python of the operator."""
    return sys.modules["torchvision.ops.roi_align"]._roi_align(*arguments)
