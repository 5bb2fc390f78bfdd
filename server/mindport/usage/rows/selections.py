"""What masks select, `x[x > 0]`, of which there may be no element."""

from __future__ import annotations

import ast

from mindport.usage.masks import is_mask
from mindport.usage.resolve import Resolver
from mindport.usage.types import Tag, Type
from mindport.usage.variables import Site, SiteForm, UnitSummary

SELECTED = frozenset({"selected"})


class Selections:
    """The selections of one unit, and the names that hold one."""

    def __init__(self, summary: UnitSummary, resolver: Resolver) -> None:
        self._summary = summary
        self._resolver = resolver
        self._nodes: set[ast.AST] = set()
        self._names: set[tuple[str, str]] = set()
        for site in summary.sites:  # a function comes before what it is called with
            if site.form is SiteForm.INDEX and site.other is not None:
                self._note(site, self._resolver.type_of(site.other))

    def _note(self, site: Site, index: Type) -> None:
        if is_mask(index) or (index.tag is Tag.TUPLE and any(map(is_mask, index.parts))):
            self._nodes.add(site.node)
            self._names.add((site.scope, self._summary.named.get(site.node, "")))

    def is_taken(self, site: Site) -> bool:
        """Whether a call is of a method of such a selection, or of a function that takes one first."""
        taken: ast.AST | None = None
        if site.form is SiteForm.MEMBER and isinstance(site.node, ast.Attribute):
            taken = site.node.value
        elif site.form is SiteForm.NAME and site.call is not None and site.call.args:
            taken = site.call.args[0]
        if isinstance(taken, ast.Name):
            return (site.scope, taken.id) in self._names
        return taken in self._nodes
