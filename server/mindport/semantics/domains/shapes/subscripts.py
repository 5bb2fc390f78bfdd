"""Items, slices and masks of tensors and shapes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from mindport.semantics.domains.shapes.arguments import ShapePlaces, TorchNames
from mindport.semantics.domains.shapes.torch_calls import size_of
from mindport.semantics.domains.shapes.values import (
    FIRST,
    OF_A_TENSOR,
    TENSOR,
    Known,
    ValueKind,
    element,
    group_of,
    known,
    varying,
)
from mindport.semantics.flow.domain import Domain
from mindport.semantics.flow.values import is_unknown

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


class Subscripts(ShapePlaces, Domain):
    """What `x[...]` gives."""

    names: TorchNames

    def subscript(self, m: Machine, owner: Any, key: Any, node: ast.Subscript | None) -> Any:
        base = known(owner)
        if not is_unknown(owner):
            return super().subscript(m, owner, key, node)
        if base.what is ValueKind.SHAPE:
            return size_of(base, key)
        if base.items and isinstance(key, int) and -len(base.items) <= key < len(base.items):
            return base.items[key]
        if base.what is ValueKind.GROUP:
            return group_of(element(base)) if isinstance(key, slice) else element(base)
        is_used_as_one = node is not None and self.names.api_of(node).startswith("torch.Tensor.")
        if not base.is_tensor and not is_used_as_one:
            return super().subscript(m, owner, key, node)
        return (
            TENSOR if node is None else self._selected(node, base, key if isinstance(key, tuple) else (key,))
        )

    def _selected(self, node: ast.Subscript, base: Known, keys: tuple[Any, ...]) -> Known:
        """x[...] of a tensor."""
        written = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        parts = written if len(written) == len(keys) else [node.slice] * len(keys)
        for place, (part, key) in enumerate(zip(parts, keys, strict=True)):
            axes = FIRST if place == 0 else None
            index = known(key)
            if isinstance(key, slice):
                cause = _bound_cause(key)
                if cause:
                    self.note("slice", node, self.text(part), cause)
                    return varying(cause, axes)
            elif index.what is ValueKind.MASK:
                fits = len(keys) == 1 and index.origin and index.origin == base.origin
                self.note("mask", node, self.text(part), by="fitting" if fits else "mask")
                return varying(f"the true elements of `{self.text(part)}`", FIRST if len(keys) == 1 else None)
            elif index.is_tensor and index.cause:
                self.note("index", node, self.text(part), index.cause)
                return varying(index.cause, axes)
        return TENSOR if any(known(key).is_tensor for key in keys) else _basic(node, base, keys)


def _basic(node: ast.Subscript, base: Known, keys: tuple[Any, ...]) -> Known:
    """Slices and numbers that are the same each time: what varies along the first axis goes with it."""
    first = keys[0] if keys else None
    whole = isinstance(first, slice) and first.start is None and first.stop is None
    is_new = first is None or first is Ellipsis
    if base.cause and (whole or is_new or base.axes is None or base.axes != FIRST):
        return Known(base.what, base.cause, base.axes if whole else None)
    if base.cause and isinstance(first, slice):
        return Known(base.what, base.cause, base.axes) if _cuts_relatively(first) else Known(base.what)
    form = f"{base.form}[{ast.unparse(node.slice)}]" if base.form else ""
    return Known(base.what if base.is_tensor else ValueKind.TENSOR, form=form)


def _bound_cause(key: slice) -> str:
    """Why the length of a slice varies; empty where it does not."""
    for bound in map(known, (key.start, key.stop, key.step)):
        if bound.is_tensor:
            return OF_A_TENSOR
        if bound.number_cause:
            return bound.number_cause
    return ""


def _cuts_relatively(key: slice) -> bool:
    """Whether the length of a slice depends on that of what is sliced: x[1:], x[:-1], x[::2]; x[:100] has at most so
    many, which graphs take for as many as there are."""
    return key.stop is None or (isinstance(key.stop, int) and key.stop < 0)
