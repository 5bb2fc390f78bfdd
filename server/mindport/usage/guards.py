"""Recognises code that its author already wrote for two frameworks."""

from __future__ import annotations

import ast

from mindport.source.written_names import last_name

_TORCH_WORDS = frozenset({"torch", "pytorch", "pt"})


def imports_mindspore(body: list[ast.stmt]) -> bool:
    """Whether the body of a `try` imports MindSpore, so that the handlers are for when it is missing."""
    for node in body:
        if isinstance(node, ast.Import):
            if any(alias.name.partition(".")[0] == "mindspore" for alias in node.names):
                return True
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "mindspore":
            return True
    return False


def backend_branch(test: ast.expr) -> bool | None:
    """For `if backend == "torch":` True, as the branch is the torch one; False where the else branch is; None for any
    other test."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = backend_branch(test.operand)
        return None if inner is None else not inner
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    right, op = test.comparators[0], test.ops[0]
    if isinstance(right, ast.Constant) and isinstance(right.value, str) and _names_a_backend(test.left):
        word = right.value.lower()
        if word in _TORCH_WORDS and isinstance(op, (ast.Eq, ast.NotEq)):
            return isinstance(op, ast.Eq)
        if word == "mindspore" and isinstance(op, (ast.Eq, ast.NotEq)):
            return isinstance(op, ast.NotEq)
    return None


def _names_a_backend(node: ast.expr) -> bool:
    name = last_name(node)
    return any(word in name.lower() for word in ("backend", "framework", "engine", "library"))
