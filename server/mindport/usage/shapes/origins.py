"""Whether anything in a unit may make a shape vary: most code has nothing of the kind, and needs no second look."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set

from mindport.usage.api_use import ApiUse, Form
from mindport.usage.shapes.operators import COMPARISONS, RESULTS

_ORIGINS = frozenset({
    *RESULTS, *COMPARISONS, "where", "item", "tolist", "one_hot", "repeat_interleave", "pad_sequence", "DataLoader",
    "__gt__", "__lt__", "__ge__", "__le__", "__eq__", "__ne__", "__invert__",
})  # fmt: skip
_PYTHON = frozenset(("int", "float", "bool", "max", "random", "np", "numpy"))


def may_vary(rows: Mapping[ast.AST, ApiUse], read: Set[str]) -> bool:
    """Whether a unit with these uses of torch, which reads these names from outside, has an operator, a function of
    Python or an annotated tensor that a varying shape may come from."""
    if not read.isdisjoint(_PYTHON):
        return True
    return any(use.form is Form.ANNOTATION or use.api.rpartition(".")[2] in _ORIGINS for use in rows.values())
