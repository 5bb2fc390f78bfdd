"""What NumPy goes by in a file."""

from __future__ import annotations

import ast

from mindport.source.trees import every_node

_USUAL = frozenset(("np", "numpy"))


def may_use_numpy(text: str) -> bool:
    """Whether it is worth while to look for NumPy in a text."""
    return "numpy" in text or ("import *" in text and "np." in text)


def numpy_names(tree: ast.Module) -> set[str]:
    """The names that a file imports NumPy by. Where it takes all names of some module, `from .audio import *`, NumPy's
    usual ones are among them, if it has nothing else by them."""
    names: set[str] = set()
    bound: set[str] = set()
    has_star = False
    for node in every_node(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name for alias in node.names if alias.name == "numpy"}
            bound |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            has_star = has_star or any(alias.name == "*" for alias in node.names)
            bound |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
    if has_star:
        names |= _USUAL - bound
    return names
