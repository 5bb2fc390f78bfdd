"""Which files of the packages may be drawn, and in which order."""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path

# What a class has to derive from, directly or through classes of its file, to be a network.
_MODULES = {f"{prefix}{name}" for name in ("Module", "Sequential") for prefix in ("", "nn.", "torch.nn.")}


def drawing_order(sources: Path, roots: list[str]) -> list[str]:
    """All files that define a network, relative to `sources`, by the hash of that path."""
    files = [
        file.relative_to(sources).as_posix()
        for root in roots
        for file in (sources / root).rglob("*.py")
        if defines_network(file.read_text(encoding="utf-8"))
    ]
    return sorted(files, key=lambda file: hashlib.sha256(file.encode()).hexdigest())


def defines_network(text: str) -> bool:
    """Whether a class of this text derives from torch.nn.Module in a way that its own file shows."""
    classes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)]
    return any(ast.unparse(base) in _MODULES for node in classes for base in node.bases)
