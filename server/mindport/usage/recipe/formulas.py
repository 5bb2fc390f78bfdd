"""The formulas by which code computes a learning rate itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from mindport.source.trees import every_node
from mindport.source.written_names import last_name


def formula_of(nodes: Iterable[ast.AST]) -> str:
    """The kind of schedule that some nodes compute: a cosine of pi, a power of what is left of the training, a factor
    to the power of how many whole periods have passed, or a root of the steps; empty for none."""
    found = set()
    for node in nodes:
        if _is_cosine(node):
            return "cosine decay"
        for base, exponent in _power(node):
            if _is_rest(base):
                found.add("polynomial decay")
            elif any(_is_whole_quotient(inner) for inner in every_node(exponent)):
                found.add("decay in steps")
            elif _is_root_of_steps(base, exponent):
                found.add("inverse square root decay")
    return min(found, default="")


def _is_cosine(node: ast.AST) -> bool:
    if not (isinstance(node, ast.Call) and last_name(node.func) == "cos"):
        return False
    return any(last_name(inner) == "pi" for argument in node.args for inner in every_node(argument))


def _power(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield node.left, node.right
    elif isinstance(node, ast.Call) and last_name(node.func) in ("pow", "power") and len(node.args) == 2:
        yield node.args[0], node.args[1]


def _is_rest(node: ast.expr) -> bool:
    """Whether an expression is `1 - done / all`."""
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Sub)
        and isinstance(node.left, ast.Constant)
        and node.left.value == 1
        and any(isinstance(inner, ast.Div) for inner in every_node(node.right))
    )


def _is_whole_quotient(node: ast.AST) -> bool:
    """Whether an expression is `epoch // period` or `int(epoch / period)`."""
    if isinstance(node, ast.Call) and last_name(node.func) in ("int", "floor"):
        return any(isinstance(inner, ast.Div) for inner in every_node(node))
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv)


def _is_root_of_steps(base: ast.expr, exponent: ast.expr) -> bool:
    """Whether a power is `step ** -0.5`."""
    is_root = (
        isinstance(exponent, ast.UnaryOp)
        and isinstance(exponent.op, ast.USub)
        and isinstance(exponent.operand, ast.Constant)
        and exponent.operand.value == 0.5
    )
    return is_root and re.search(r"step|iter|epoch", last_name(base)) is not None
