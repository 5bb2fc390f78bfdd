"""Which classes of a converted text are networks."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from mindport.source.trees import every_node


def networks_of(tree: ast.Module, elsewhere: Set[str] = frozenset()) -> Iterator[ast.ClassDef]:
    """The classes that are cells, or derive from one in the file, or from one of the names of networks `elsewhere`."""
    known = set(elsewhere)
    for node in every_node(tree):
        if isinstance(node, ast.ClassDef):
            bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
            methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
            if "construct" in methods or "Cell" in bases or bases & known:
                known.add(node.name)
                yield node
