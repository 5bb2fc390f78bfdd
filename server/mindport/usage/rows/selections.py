"""What masks select, `x[x > 0]`, and what is computed of that element by element: there may be no element."""

from __future__ import annotations

import ast

from mindport.usage.elementwise import ELEMENTWISE
from mindport.usage.masks import is_mask
from mindport.usage.resolve import Resolver
from mindport.usage.types import Tag, Type
from mindport.usage.variables import Site, SiteForm, UnitSummary

SELECTED = frozenset({"selected"})
# What MindSpore on CPU gets wrong of no elements, without an error, and `repeat`, which raises.
OF_ALL_ELEMENTS = frozenset(
    [f"torch.{owner}{name}" for owner in ("", "Tensor.") for name in ("any", "mean", "sum")]
    + [f"torch.nn.functional.{name}_loss" for name in ("huber", "l1", "mse")]
    + ["torch.Tensor.repeat"]
)


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
            elif site.name.endswith("masked_select") and site.call is not None:
                self._nodes.add(site.call)

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
        return taken is not None and self._is_selection(taken, site.scope)

    def _is_selection(self, node: ast.AST, scope: str) -> bool:
        """Whether a value is a selection, or computed of one element by element."""
        match node:
            case ast.Name(id=name):
                return (scope, name) in self._names
            case ast.BinOp(left=left, right=right):
                return self._is_selection(left, scope) or self._is_selection(right, scope)
            case ast.Compare(left=left, comparators=others):
                return any(self._is_selection(one, scope) for one in (left, *others))
            case ast.UnaryOp(operand=operand):
                return self._is_selection(operand, scope)
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=args) if name in ELEMENTWISE:
                return any(self._is_selection(one, scope) for one in (value, *args))
        return node in self._nodes
