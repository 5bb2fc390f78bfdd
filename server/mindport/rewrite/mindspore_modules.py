"""What names of MindSpore's modules a finished text has, for passes that write further names into it."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

_IMPORTS_TORCH = re.compile(r"^\s*(?:import|from)\s+torch\b", re.MULTILINE)
_IMPORTS_ALL = re.compile(r"^\s*from\s+[.\w]+\s+import\s+\*", re.MULTILINE)
_USES_TORCH = re.compile(r"^[^#\n]*\b(?:torch\.\w|nn\.Module\b)", re.MULTILINE)


def imports_torch(text: str) -> bool:
    """Whether a text imports torch, so that what it became is about other classes than before: by its name, or by a
    star among what another file of the project has."""
    if _IMPORTS_TORCH.search(text) is not None:
        return True
    return _IMPORTS_ALL.search(text) is not None and _USES_TORCH.search(text) is not None


def mindspore_modules(tree: ast.Module) -> dict[str, str]:
    """The names that a file imports of MindSpore, and what they mean."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.partition(".")[0]
                if root == "mindspore":
                    found[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "mindspore":
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def written_short(dotted: str, modules: Mapping[str, str]) -> str | None:
    """How a file with these names writes one of MindSpore's, if it can."""
    ways = [
        local + dotted.removeprefix(module)
        for local, module in modules.items()
        if dotted.startswith(f"{module}.")
    ]
    return min(ways, key=len, default=None)
