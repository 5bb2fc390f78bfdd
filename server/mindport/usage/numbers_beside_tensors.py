"""Indices of a number and a tensor with a range between them, `pred[b, :, rows, columns]`: torch takes the number
first, MindSpore, as NumPy does, takes it for one of the positions, whose axis then comes first."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.usage.types import INT, Tag, Type

# Stands for the key of such an index in conditions of mappings.
APART = "0,:"


def keeps_number_apart(index: ast.expr, kinds: Sequence[Type]) -> bool:
    """Whether an index whose parts have these types has a number and a tensor, or a list, with a range between them."""
    if not isinstance(index, ast.Tuple) or len(kinds) != len(index.elts):
        return False
    signs = "".join(map(_sign, index.elts, kinds))
    positions = [at for at, sign in enumerate(signs) if sign in "nt"]
    if "n" not in signs or "t" not in signs:
        return False
    between = signs[positions[0] : positions[-1]]
    tensors = [at for at, sign in enumerate(signs) if sign == "t"]
    return ":" in between and ":" not in signs[tensors[0] : tensors[-1]]


def _sign(part: ast.expr, kind: Type) -> str:
    """`n` for a number, `t` for what selects several elements, `:` for a range, a space for what is not known."""
    if isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value in (None, Ellipsis)):
        return ":"
    if kind.tag is Tag.INT or kind is INT:
        return "n"
    return "t" if kind.tag in (Tag.TENSOR, Tag.NDARRAY, Tag.SEQUENCE) else " "
