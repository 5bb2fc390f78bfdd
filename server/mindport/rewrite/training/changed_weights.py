"""Weights that a loop over parameters changes by an operator: `for p in net.parameters(): p -= 0.1 * p`.

torch changes the tensor itself; in MindSpore the operator gives a new tensor to the name, and the weight stays."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.model.language import later, translated
from mindport.model.verdict import Applicability
from mindport.rewrite.pieces import Piece, Rewrite
from mindport.rewrite.spans import span_of
from mindport.rewrite.training.events import Recogniser
from mindport.rewrite.training.flow import own_nodes, written
from mindport.source.lines import LineIndex

_TITLE = later("Write the result into the parameter itself")
_LISTS = ("torch.nn.Module.parameters", "torch.nn.Module.named_parameters")
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_TIGHTER = (ast.Mult, ast.Div, ast.Pow, ast.MatMult)


def changed_weights(tree: ast.Module, recogniser: Recogniser, lines: LineIndex) -> Iterator[Rewrite]:
    """The statements of a file that change parameters by an operator, written as assignments to their elements."""
    for loop in ast.walk(tree):
        if not isinstance(loop, ast.For) or not _goes_through_parameters(loop.iter, recogniser):
            continue
        nodes = [node for statement in loop.body for node in own_nodes(statement)]
        changes = [one for one in nodes if isinstance(one, ast.AugAssign) and type(one.op) in _SIGNS]
        own = {id(one.target) for one in changes}
        bound = {
            one.id for one in nodes if isinstance(one, ast.Name) and _is_bound(one) and id(one) not in own
        }
        for change in changes:
            if isinstance(change.target, ast.Name) and change.target.id in written(loop.target) - bound:
                yield _rewrite(change, change.target.id, lines)


def _goes_through_parameters(node: ast.expr, recogniser: Recogniser) -> bool:
    """Whether an expression is a call that lists parameters, or `zip` or `enumerate` of such calls."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name) and node.func.id in ("zip", "enumerate", "list", "reversed"):
        return bool(node.args) and all(_goes_through_parameters(one, recogniser) for one in node.args)
    return recogniser.api(node.func) in _LISTS


def _is_bound(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)


def _rewrite(node: ast.AugAssign, name: str, lines: LineIndex) -> Rewrite:
    sign = _SIGNS[type(node.op)]
    value: tuple[Piece, ...] = (span_of(node.value, lines),)
    is_tighter = (
        isinstance(node.value, ast.BinOp) and isinstance(node.value.op, _TIGHTER) and sign in ("+", "-")
    )
    is_short = isinstance(node.value, (ast.Name, ast.Attribute, ast.Constant, ast.Call, ast.Subscript))
    if not (is_tighter or is_short):
        value = ("(", *value, ")")
    pieces = (f"{name}[()] = {name} {sign} ", *value)
    return Rewrite(span_of(node, lines), pieces, Applicability.SAFE, translated(_TITLE), "torch.Tensor")
