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
    if not any(name in text for name in _TODAY):
        return []
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return []
    imports = [alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    modules = {alias.asname or "torch" for alias in imports if alias.name == "torch"}
    lines = LineIndex(text)
    return [
        TextEdit(start_of(node, lines), end_of(node, lines), f"{module}.{_TODAY[name]}")
        for node in ast.walk(tree)
        if isinstance(node, (ast.Attribute, ast.Call))
        for module, name in (_asked(node),)
        if module in modules and name in _TODAY
    ]


def _asked(node: ast.Attribute | ast.Call) -> tuple[str, str]:
    """The module that is asked and the name: `torch.has_mps`, or `getattr(torch, "has_mps", False)`, as not every torch
    has it; both empty for any other expression."""
    match node:
        case ast.Attribute(value=ast.Name(id=module), attr=name, ctx=ast.Load()):
            return module, name
        case ast.Call(
            func=ast.Name(id="getattr"), args=[ast.Name(id=module), ast.Constant(value=str(name)), *_]
        ):
            return module, name
    return "", ""
