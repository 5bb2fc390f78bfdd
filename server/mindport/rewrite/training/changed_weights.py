"""Weights that a loop over parameters changes by an operator: `for p in net.parameters(): p -= 0.1 * p`, and what an
optimizer keeps of each: `mean = state["mean"]`, `mean *= 0.9`.

torch changes the tensor itself; in MindSpore the operator gives a new tensor to the name, and the weight stays."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

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
_MAKERS = (
    "torch.zeros_like", "torch.ones_like", "torch.empty_like", "torch.full_like", "torch.clone", "torch.zeros",
    "torch.ones", "torch.tensor", "torch.Tensor.clone", "torch.Tensor.new_zeros",
)  # fmt: skip
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def changed_weights(tree: ast.Module, recogniser: Recogniser, lines: LineIndex) -> Iterator[Rewrite]:
    """The statements of a file that change parameters by an operator, written as assignments to their elements."""
    kept_keys = _kept_keys(tree, recogniser)
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
            changed = (written(loop.target) - bound) | _kept_names(nodes, kept_keys)
            if isinstance(change.target, ast.Name) and change.target.id in changed:
                pieces = into_operand(change, span_of(change.value, lines))
                if pieces is not None:
                    span, title = span_of(change, lines), translated(_TITLE)
                    yield Rewrite(span, pieces, Applicability.SAFE, title, "torch.Tensor")


def _kept_keys(tree: ast.Module, recogniser: Recogniser) -> frozenset[str]:
    """The keys under which a file keeps tensors of torch: `state["mean"] = torch.zeros_like(p)`."""
    found: set[str] = set()
    lost: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                keys = {key for target in targets if (key := _key(target))}
                (found if _makes_tensor(value, recogniser) else lost).update(keys)
            case ast.Call(
                func=ast.Attribute(attr="setdefault"), args=[ast.Constant(value=str(name)), value]
            ) if _makes_tensor(value, recogniser):
                found.add(name)
    return frozenset(found - lost)


def _makes_tensor(value: ast.expr, recogniser: Recogniser) -> bool:
    return isinstance(value, ast.Call) and recogniser.api(value.func) in _MAKERS


def _key(node: ast.expr) -> str:
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
    return ""


def _kept_names(nodes: Sequence[ast.AST], keys: frozenset[str]) -> set[str]:
    """The names in a loop that stand for what is kept under such keys, and for nothing else."""
    kept: set[str] = set()
    others: set[str] = set()
    for node in nodes:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            for name, value in pairs:
                is_kept = _is_of(value, keys) or any(_key(one) in keys for one in node.targets)
                (kept if is_kept else others).update(written(name))
    return kept - others


def _is_of(value: ast.expr, keys: frozenset[str]) -> bool:
    match value:
        case ast.Call(func=ast.Attribute(attr="setdefault"), args=[ast.Constant(value=str(name)), _]):
            return name in keys
    return _key(value) in keys


def _goes_through_parameters(node: ast.expr, recogniser: Recogniser) -> bool:
    """Whether an expression is a call that lists parameters, or those of an optimizer's group, or `zip` or `enumerate`
    of such."""
    if _key(node) == "params":
        return True
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name) and node.func.id in ("zip", "enumerate", "list", "reversed"):
        return bool(node.args) and all(_goes_through_parameters(one, recogniser) for one in node.args)
    return recogniser.api(node.func) in _LISTS


def _is_bound(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)
