"""Imports of torch's TensorBoard that a file can do without, `try: from torch.utils.tensorboard import SummaryWriter`:
the package that stands for it is imported in the same `try`, and may be missing just so."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

_PACKAGE = "tensorboardX"
_MISSING = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException"))


def optional_boards(text: str) -> list[TextEdit]:
    """The edits that import tensorboardX in the place of torch's; none where the text does not parse."""
    if "tensorboard" not in text or "try" not in text:
        return []
    return edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for node in _optional(tree):
        if written := _written(node):
            yield TextEdit(start_of(node, lines), end_of(node, lines), written)


def _optional(tree: ast.Module) -> Iterator[ast.stmt]:
    """What is tried where the lack of a module is expected."""
    for node in every_node(tree):
        if isinstance(node, ast.Try) and any(map(_expects_lack, node.handlers)):
            yield from node.body


def _expects_lack(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or getattr(kind, "id", "") in _MISSING for kind in kinds)


def _written(node: ast.stmt) -> str:
    """The import in the place of one of torch's TensorBoard alone; empty for any other statement."""
    match node:
        case ast.ImportFrom(module="torch.utils.tensorboard", names=names, level=0):
            if all(alias.name == "SummaryWriter" for alias in names):
                return f"from {_PACKAGE} import {', '.join(map(ast.unparse, names))}"
        case ast.Import(names=[ast.alias(name="torch.utils.tensorboard", asname=str(name))]):
            return f"import {_PACKAGE} as {name}"
        case ast.ImportFrom(
            module="torch.utils", names=[ast.alias(name="tensorboard", asname=name)], level=0
        ):
            return f"import {_PACKAGE} as {name or 'tensorboard'}"
    return ""
