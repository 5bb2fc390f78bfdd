"""Weights that a loop over parameters changes by an operator: `for p in net.parameters(): p -= 0.1 * p`.

torch changes the tensor itself; in MindSpore the operator gives a new tensor to the name, and the weight stays."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.model.language import later, translated
from mindport.model.verdict import Applicability
from mindport.rewrite.changed_operand import into_operand
from mindport.rewrite.pieces import Rewrite
from mindport.rewrite.spans import span_of
from mindport.rewrite.training.events import Recogniser
from mindport.rewrite.training.flow import own_nodes, written
from mindport.source.lines import LineIndex

_TITLE = later("Write the result into the parameter itself")
_LISTS = ("torch.nn.Module.parameters", "torch.nn.Module.named_parameters")
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def changed_weights(tree: ast.Module, recogniser: Recogniser, lines: LineIndex) -> Iterator[Rewrite]:
    """The statements of a file that change parameters by an operator, written as assignments to their elements."""
    for loop in ast.walk(tree):
        if not isinstance(loop, ast.For) or not _goes_through_parameters(loop.iter, recogniser):
            continue
        nodes = [node for statement in loop.body for node in own_nodes(statement)]
        changes = [one for one in nodes if isinstance(one, ast.AugAssign) and isinstance(one.op, _OPERATORS)]
        own = {id(one.target) for one in changes}
        bound = {
            one.id for one in nodes if isinstance(one, ast.Name) and _is_bound(one) and id(one) not in own
        }
        for change in changes:
            if isinstance(change.target, ast.Name) and change.target.id in written(loop.target) - bound:
                pieces = into_operand(change, span_of(change.value, lines))
                if pieces is not None:
                    span, title = span_of(change, lines), translated(_TITLE)
                    yield Rewrite(span, pieces, Applicability.SAFE, title, "torch.Tensor")


def _goes_through_parameters(node: ast.expr, recogniser: Recogniser) -> bool:
    """Whether an expression is a call that lists parameters, or `zip` or `enumerate` of such calls."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name) and node.func.id in ("zip", "enumerate", "list", "reversed"):
        return bool(node.args) and all(_goes_through_parameters(one, recogniser) for one in node.args)
    return recogniser.api(node.func) in _LISTS


def _is_bound(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)
