"""Asks as torch does today what `torch.has_mps` asked once: the old names still answer, but no list of torch's has
them. The result is torch, still."""

from __future__ import annotations

import ast

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree

_TODAY = {
    "has_cuda": "backends.cuda.is_built()",
    "has_cudnn": "backends.cudnn.is_available()",
    "has_mkldnn": "backends.mkldnn.is_available()",
    "has_mps": "backends.mps.is_built()",
}


def former_names(text: str) -> list[TextEdit]:
    """The edits that write today's names; none where the text does not parse."""
    if not any(f".{name}" in text for name in _TODAY):
        return []
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return []
    imports = [alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    modules = {alias.asname or "torch" for alias in imports if alias.name == "torch"}
    lines = LineIndex(text)
    return [
        TextEdit(start_of(node, lines), end_of(node, lines), f"{node.value.id}.{_TODAY[node.attr]}")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and node.attr in _TODAY
        and isinstance(node.value, ast.Name)
        and node.value.id in modules
    ]
