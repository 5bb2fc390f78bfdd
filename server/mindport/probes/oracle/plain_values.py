"""What belongs to neither framework: the names that both sides of an example may use, the observation of results that
are no tensors, and the tensors inside a result."""

from __future__ import annotations

import collections
import contextlib
import copy
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy

from .compare import ArrayValue, OpaqueValue

SHARED_NAMES = {
    "np": numpy,
    "numpy": numpy,
    "math": math,
    "copy": copy,
    "contextlib": contextlib,
    "collections": collections,
    "functools": functools,
}


def observe_plain(value: Any, observe: Callable[[Any], Any]) -> Any:
    """The observation of a value that is neither a tensor nor a dtype of a framework; `observe` does the same for
    what is in a container."""
    if isinstance(value, numpy.ndarray):
        return ArrayValue(value.copy(), str(value.dtype))
    if isinstance(value, numpy.generic):
        return value.item()
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return value
    if isinstance(value, (tuple, list)):
        return tuple(observe(item) for item in value)
    if isinstance(value, dict):
        return {key: observe(item) for key, item in value.items()}
    return OpaqueValue("object")


def float_outputs(value: Any, tensor_class: Any) -> list[Any]:
    """The floating point tensors of a framework inside a result, in order."""
    if isinstance(value, tensor_class):
        return [value] if value.is_floating_point() else []
    if isinstance(value, dict):
        return [tensor for item in value.values() for tensor in float_outputs(item, tensor_class)]
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in float_outputs(item, tensor_class)]
    return []
