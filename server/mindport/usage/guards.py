"""Recognises code that its author already wrote for two frameworks."""

from __future__ import annotations

import ast

from mindport.source.trees import every_node
from mindport.source.written_names import last_name

_MINDSPORE = "mindspore"
_TORCH_WORDS = frozenset({"torch", "pytorch", "pt"})


def imports_mindspore(body: list[ast.stmt]) -> bool:
    """Whether the body of a `try` imports MindSpore, so that the handlers are for when it is missing."""
    for node in body:
        if isinstance(node, ast.Import):
            if any(alias.name.partition(".")[0] == _MINDSPORE for alias in node.names):
                return True
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == _MINDSPORE:
            return True
    return False


def backend_branch(node: ast.If, imports_mindspore: bool) -> bool | None:
    """For `if backend == "torch":` True, as the branch is the torch one; False where the else branch is; None for any
    other test, and where the choice is none of MindSpore: `"torch"` may be chosen over NumPy, and then its branch is
    what has to be ported. `imports_mindspore` tells whether the file does."""
    found = _torch_branch(node.test)
    return found if found is None or imports_mindspore or _names_mindspore(node) else None


def _torch_branch(test: ast.expr) -> bool | None:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _torch_branch(test.operand)
        return None if inner is None else not inner
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    right, op = test.comparators[0], test.ops[0]
    if isinstance(right, ast.Constant) and isinstance(right.value, str) and _names_a_backend(test.left):
        word = right.value.lower()
        if word in _TORCH_WORDS and isinstance(op, (ast.Eq, ast.NotEq)):
            return isinstance(op, ast.Eq)
        if word == _MINDSPORE and isinstance(op, (ast.Eq, ast.NotEq)):
            return isinstance(op, ast.NotEq)
    return None


def _names_a_backend(node: ast.expr) -> bool:
    name = last_name(node)
    return any(word in name.lower() for word in ("backend", "framework", "engine", "library"))


def _names_mindspore(node: ast.If) -> bool:
    """Whether the statement imports MindSpore or has its name in a text: `elif backend == "mindspore":`."""
    for below in every_node(node):
        if (
            isinstance(below, ast.Constant)
            and isinstance(below.value, str)
            and below.value.lower() == _MINDSPORE
        ):
            return True
        if isinstance(below, (ast.Import, ast.ImportFrom)) and imports_mindspore([below]):
            return True
    return False
