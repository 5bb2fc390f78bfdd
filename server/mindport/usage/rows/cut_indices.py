"""Indices of `scatter` that are a piece of a tensor, `order[:, :count]`: torch takes as many of the values as there are
indices, and MindSpore wants as many of both."""

from __future__ import annotations

import ast

from mindport.source.call_arguments import written_argument
from mindport.usage.variables import Site, SiteForm, UnitSummary

CUT = frozenset({"cut"})

_SCATTERS = frozenset({"scatter", "scatter_"})
# Where the index stands among the positional arguments of a function and of a method; the values come next.
_PLACES = {SiteForm.NAME: 2, SiteForm.MEMBER: 1}


class CutIndices:
    """The pieces of tensors of one unit that names hold."""

    def __init__(self, summary: UnitSummary) -> None:
        self._pieces = {name: node for node, name in summary.named.items() if name and _is_piece(node)}

    def is_taken(self, site: Site) -> bool:
        """Whether a call scatters at indices that are a piece of a tensor, and the values are not the same piece of
        another one."""
        called = site.node.attr if isinstance(site.node, ast.Attribute) else site.name.rpartition(".")[2]
        if site.call is None or called not in _SCATTERS or site.form not in _PLACES:
            return False
        at = _PLACES[site.form]
        index = self._piece(written_argument(site.call, "index", at))
        if index is None:
            return False
        values = self._piece(written_argument(site.call, "src", at + 1))
        return values is None or ast.dump(values.slice) != ast.dump(index.slice)

    def _piece(self, node: ast.AST | None) -> ast.Subscript | None:
        """The piece that an argument is, or that its name holds."""
        if isinstance(node, ast.Name):
            node = self._pieces.get(node.id)
        return node if isinstance(node, ast.Subscript) and _is_piece(node) else None


def _is_piece(node: ast.AST) -> bool:
    """Whether an expression takes a part of some axis."""
    if not isinstance(node, ast.Subscript):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return any(isinstance(part, ast.Slice) and (part.lower or part.upper) is not None for part in parts)
