"""Masks that are joined with other tensors, `torch.cat([torch.zeros(n, 3), mask], 1)`: torch makes them of one kind,
`ops.cat` takes one kind alone. A mask is told by its name, as no type says whether a caller's is of truth values."""

from __future__ import annotations

import ast

from mindport.source.call_arguments import written_argument

MASKS = frozenset({"masks"})

_JOINS = frozenset({"cat", "concat", "concatenate"})
_CASTS = frozenset({"double", "float", "half", "int", "long", "to", "type", "type_as"})


def joins_masks(call: ast.Call | None) -> bool:
    """Whether a call joins a mask with what is none and is not made of truth values either."""
    match call:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _JOINS:
            joined = written_argument(call, "tensors", 0)
        case _:
            return False
    parts = joined.elts if isinstance(joined, ast.List | ast.Tuple) else []
    masks = [part for part in parts if _is_mask(part)]
    return bool(masks) and any(not _is_mask(part) and not _is_of_truth_values(part) for part in parts)


def _is_mask(node: ast.expr) -> bool:
    """Whether a value goes by the name of a mask, also a piece of one, or one in another shape."""
    match node:
        case ast.Name(id=name):
            return "mask" in name.lower()
        case ast.Attribute(value=value, attr=name):
            return "mask" in name.lower() or _is_mask(value)
        case ast.Subscript(value=value) | ast.UnaryOp(op=ast.Invert(), operand=value):
            return _is_mask(value)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name not in _CASTS:
            return _is_mask(value)
    return False


def _is_of_truth_values(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="bool")) | ast.Compare():
            return True
        case ast.Call() as call:
            kind = written_argument(call, "dtype")
            return isinstance(kind, ast.Attribute | ast.Name) and ast.unparse(kind).endswith("bool")
    return False
