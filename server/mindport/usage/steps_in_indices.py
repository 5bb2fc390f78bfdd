"""Indices that take steps along inner axes, as in the merging of patches: `x[:, 0::2, 1::2, :]`."""

from __future__ import annotations

import ast

# Stands for the key of such an index in conditions of mappings.
STEPS = "::"


def takes_inner_steps(index: ast.expr) -> bool:
    """Whether an index takes steps along an axis that may be neither the first nor the last."""
    if not isinstance(index, ast.Tuple):
        return False
    parts = [part for part in index.elts if not _is_constant(part, None)]
    is_last_known = any(_is_constant(part, ...) for part in parts[:-1])
    inner = parts[1:-1] if is_last_known else parts[1:]
    return any(isinstance(part, ast.Slice) and _is_step(part.step) for part in inner)


def _is_step(step: ast.expr | None) -> bool:
    return step is not None and not _is_constant(step, None) and not _is_constant(step, 1)


def _is_constant(node: ast.expr, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is value
