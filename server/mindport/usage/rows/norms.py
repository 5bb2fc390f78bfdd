"""Tells norms of whose class nothing is known: the code that reads a parameter of theirs reads running statistics of
the same value, as what folds a norm into a convolution does."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.usage.variables import Site, SiteForm

# Stands for the class of a norm that is not known, whose parameters are read by any name.
ANY_NORM = "torch.nn.BatchNorm2d"

_PARAMETERS = frozenset({"weight", "bias"})
_STATISTICS = frozenset({"running_mean", "running_var"})


def is_of_norm(site: Site, sites: Iterable[Site]) -> bool:
    """Whether a member is a parameter that a norm has, of a value whose statistics one of the `sites` of the same
    function asks for. By what is written, the value is the same; a layer of another kind may stand in its place where
    the statistics are not asked for."""
    if site.name not in _PARAMETERS or not isinstance(site.node, ast.Attribute):
        return False
    owner = ""
    for other in sites:
        if other.name in _STATISTICS and other.scope == site.scope and other.form is SiteForm.MEMBER:
            owner = owner or ast.unparse(site.node.value)
            if isinstance(other.node, ast.Attribute) and ast.unparse(other.node.value) == owner:
                return True
    return False
