"""Imports of torch that stand in the body of a class, whose statements are each read by themselves: they are put beside
those above the class. The result is torch, still."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.text_edits import TextEdit, edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node
from mindport.source.written_names import dotted_text
from mindport.usage.torch_model import TORCH_ROOTS

_Import = ast.Import | ast.ImportFrom


def imports_in_classes(text: str) -> list[TextEdit]:
    """The edits that put them there; none for what has a name that the file binds otherwise, or asks an object for, and
    none where the text does not parse."""
    if "torch" not in text or not any(line[:1].isspace() and " import " in line for line in text.split("\n")):
        return []
    return edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for place, statement in enumerate(tree.body):
        if not isinstance(statement, ast.ClassDef):
            continue
        above = [node for node in tree.body[:place] if isinstance(node, _Import)]
        for node in statement.body if above and len(statement.body) > 1 else ():
            if isinstance(node, _Import) and _may_go(node, tree, lines):
                start, end = (lines.line_start(line) for line in (node.lineno, node.lineno + 1))
                at = lines.line_start((above[-1].end_lineno or above[-1].lineno) + 1)
                yield TextEdit(at, at, lines.line_text(node.lineno).strip() + "\n")
                yield TextEdit(start, end, "")


def _may_go(node: _Import, tree: ast.Module, lines: LineIndex) -> bool:
    is_free = not any(_is_known_otherwise(name, node, tree) for name in _names(node))
    return _is_alone(node, lines) and _is_of_torch(node) and is_free


def _is_alone(node: ast.stmt, lines: LineIndex) -> bool:
    """Whether a statement has one line to itself."""
    written = lines.line_text(node.lineno).strip()
    return node.end_lineno == node.lineno and ast.unparse(node) == written.partition("#")[0].strip()


def _is_of_torch(node: _Import) -> bool:
    modules = [one.name for one in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    return not getattr(node, "level", 0) and all(one.partition(".")[0] in TORCH_ROOTS for one in modules)


def _names(node: _Import) -> list[str]:
    return [one.asname or one.name.partition(".")[0] for one in node.names]


def _is_known_otherwise(name: str, here: _Import, tree: ast.Module) -> bool:
    """Whether anything but this import binds a name, or an object may be asked for it."""
    if name == "*":
        return True
    for node in every_node(tree):
        match node:
            case (
                ast.Name(id=other, ctx=ast.Store() | ast.Del())
                | ast.arg(arg=other)
                | ast.Constant(value=other)
            ):
                pass
            case ast.FunctionDef(name=other) | ast.AsyncFunctionDef(name=other) | ast.ClassDef(name=other):
                pass
            case ast.Attribute(attr=other):
                if dotted_text(node).partition(".")[0] in TORCH_ROOTS:
                    continue
            case ast.Import() | ast.ImportFrom():
                if node is not here and name in _names(node):
                    return True
                continue
            case _:
                continue
        if other == name:
            return True
    return False
