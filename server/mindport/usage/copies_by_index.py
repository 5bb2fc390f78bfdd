"""Parts of tensors that an index of tensors takes, `y = x[mask]`, and that are written later: torch has made a copy of
them, where MindSpore writes to the tensor that they were taken from."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.usage.numbers_in_indices import is_element
from mindport.usage.types import ARRAYS, GUESSED, Tag, Type, members
from mindport.usage.variables import SiteForm, UnitSummary

# Stands for the key of such an index in conditions of mappings.
COPY = "="


def written_names(summary: UnitSummary) -> frozenset[tuple[str, str]]:
    """The variables of a unit that are written by items or by methods that end in an underscore, with their scopes;
    none where no variable holds a part of something."""
    found = set(summary.changed)
    for site in summary.sites if summary.named else ():
        owner = getattr(site.node, "value", None)
        while isinstance(owner, ast.Subscript):  # a part of the part, `y[0].add_(1)`
            owner = owner.value
        if isinstance(owner, ast.Name) and (
            (site.form is SiteForm.INDEX and site.name == "__setitem__")
            or (site.form is SiteForm.MEMBER and site.call is not None and site.name.endswith("_"))
        ):
            found.add((site.scope, owner.id))
    return frozenset(found)


def written_parts(summary: UnitSummary) -> frozenset[ast.AST]:
    """The parts of tensors that are written where they are taken, by a method that ends in an underscore or a helper
    that does its work: `x[:, ::2].add_(1)`."""
    found = set(summary.changed_parts)
    for site in summary.sites:
        if site.form is SiteForm.MEMBER and site.call is not None and site.name.endswith("_"):
            owner = getattr(site.node, "value", None)
            while isinstance(owner, ast.Subscript):
                found.add(owner)
                owner = owner.value
    return frozenset(found)


def makes_copy(index: ast.expr, kind: Type) -> bool:
    """Whether torch surely copies what an index of this type takes: one of its parts is a mask, a list or a tensor of
    several numbers."""
    parts: Sequence[ast.expr] = index.elts if isinstance(index, ast.Tuple) else (index,)
    kinds = kind.parts if isinstance(index, ast.Tuple) and kind.tag is Tag.TUPLE else (kind,)
    return len(parts) == len(kinds) and any(map(_is_array, parts, kinds))


def _is_array(part: ast.expr, kind: Type) -> bool:
    if isinstance(part, ast.List | ast.ListComp) or kind is ARRAYS:
        return True
    known = list(members(kind))
    return not is_element(part) and all(
        one.tag is Tag.NDARRAY or (one.tag is Tag.TENSOR and one.level > GUESSED) for one in known
    )
