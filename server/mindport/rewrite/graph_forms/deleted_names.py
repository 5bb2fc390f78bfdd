"""`del x` of a local variable: graph mode knows no such statement. `x = None` gives the memory back as well."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node


def deleted_names(function: ast.FunctionDef, lines: LineIndex) -> Iterator[TextEdit]:
    """The edits of each statement of a function that deletes nothing but names."""
    nodes = every_node(function)
    if any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in nodes):
        return
    for node in nodes:
        if isinstance(node, ast.Delete):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if len(names) == len(node.targets):
                new = "".join(f"{name} = " for name in names) + "None"
                yield TextEdit(start_of(node, lines), end_of(node, lines), new)
