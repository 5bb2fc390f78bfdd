"""Asks as torch does today what `torch.has_mps` asked once: the old names still answer, but no list of torch's has
them. The result is torch, still."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

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
    return edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    imports = [alias for node in every_node(tree) if isinstance(node, ast.Import) for alias in node.names]
    modules = {alias.asname or "torch" for alias in imports if alias.name == "torch"}
    for node in every_node(tree):
        if isinstance(node, (ast.Attribute, ast.Call)):
            module, name = _asked(node)
            if module in modules and name in _TODAY:
                yield TextEdit(start_of(node, lines), end_of(node, lines), f"{module}.{_TODAY[name]}")


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
