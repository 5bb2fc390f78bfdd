"""Indices with a mask and something besides, `x[mask, :]`: the mask may be of several axes."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.usage.masks import is_mask
from mindport.usage.types import Type

# Stands for the key of such an index in conditions of mappings.
MASKS = "~"


def takes_masks(index: ast.expr, kinds: Sequence[Type]) -> bool:
    """Whether an index whose parts have these types names several axes, some of them by a mask."""
    return isinstance(index, ast.Tuple) and len(index.elts) > 1 and any(map(is_mask, kinds))
