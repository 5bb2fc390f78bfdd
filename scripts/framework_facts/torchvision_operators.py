"""Lets torchvision be imported where its native library does not load, as beside a torch without CUDA: declares the
operators that its Python code registers shapes for, without kernels."""

from __future__ import annotations

import sys
from typing import Any

_SCHEMAS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width,"
    " int sampling_ratio, bool aligned) -> Tensor",
)


def declare_operators() -> object:
    """Declare them in this process; call it before torchvision is imported and keep what comes back.

    roi_align gets torchvision's own version of it in Python as its kernel."""
    import torch.library

    library = torch.library.Library("torchvision", "DEF")
    for schema in _SCHEMAS:
        library.define(schema)
    library.impl("roi_align", _roi_align, "CompositeImplicitAutograd")
    return library


def _roi_align(*arguments: Any) -> Any:
    return sys.modules["torchvision.ops.roi_align"]._roi_align(*arguments)
