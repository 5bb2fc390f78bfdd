"""The classes at the top of a file, the lines they take, and what belongs to a class as a whole."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from mindport.registry.torch import torch_facts
from mindport.source.units import Unit
from mindport.usage.api_use import ApiUse, Form


def class_at(units: Sequence[Unit], line: int) -> str:
    """The name of the top-level class around a 1-based line; empty where there is none."""
    unit = next((one for one in reversed(units) if one.statements and one.first_line <= line), None)
    return "" if unit is None else unit.owner


def lines_of_class(units: Sequence[Unit], name: str) -> range:
    """The 1-based lines of the first top-level class of that name, decorators and what stands between it and the next
    statement included; no lines where there is none."""
    starts = [(one.first_line, one.owner) for one in units if one.statements]
    for place, (first, owner) in enumerate(starts):
        if owner == name:
            behind = next((line for line, other in starts[place:] if other != name), sys.maxsize)
            return range(first, behind)
    return range(0)


def is_of_class(use: ApiUse) -> bool:
    """Whether a use is converted with its whole class or not at all: what a network derives from, and the methods that
    the framework calls."""
    if use.form is Form.OVERRIDE:
        return True
    return use.form is Form.BASE_CLASS and torch_facts().is_subclass(use.api, "torch.nn.Module")
