"""Weights that an operator changes: in a loop over parameters, `for p in net.parameters(): p -= 0.1 * p`, what an
optimizer keeps of each: `mean = state["mean"]`, `mean *= 0.9`, by their own gradient: `w -= 0.1 * w.grad`, and tensors
that gradients are asked for, where torch does not record: `w = torch.zeros(3, requires_grad=True)`.

torch changes the tensor itself; in MindSpore the operator gives a new tensor to the name, and the weight stays."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from mindport.model.language import later, translated
from mindport.model.verdict import Applicability
from mindport.rewrite.changed_operand import into_operand
from mindport.rewrite.pieces import Rewrite
from mindport.rewrite.spans import span_of
from mindport.rewrite.training.events import Recogniser
from mindport.rewrite.training.flow import every_node, own_nodes, written
from mindport.source.lines import LineIndex
from mindport.source.written_names import dotted_name

_TITLE = later("Write the result into the parameter itself")
_LISTS = ("torch.nn.Module.parameters", "torch.nn.Module.named_parameters")
_MAKERS = (
    "torch.zeros_like", "torch.ones_like", "torch.empty_like", "torch.full_like", "torch.clone", "torch.zeros",
    "torch.ones", "torch.tensor", "torch.Tensor.clone", "torch.Tensor.new_zeros",
)  # fmt: skip
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def changed_weights(tree: ast.Module, recogniser: Recogniser, lines: LineIndex) -> Iterator[Rewrite]:
    """The statements of a file that change parameters by an operator, written as assignments to their elements."""
    changes = [
        *_changes_in_loops(tree, recogniser),
        *(change for change in _changes(every_node(tree)) if _is_by_own_gradient(change)),
        *_changes_of_leaves(tree, recogniser),
    ]
    for change in dict.fromkeys(changes):
        pieces = into_operand(change, span_of(change.value, lines))
        if pieces is not None:
            span, title = span_of(change, lines), translated(_TITLE)
            yield Rewrite(span, pieces, Applicability.SAFE, title, "torch.Tensor")


def _changes_in_loops(tree: ast.Module, recogniser: Recogniser) -> Iterator[ast.AugAssign]:
    kept_keys = _kept_keys(tree, recogniser)
    for loop in every_node(tree):
        if not isinstance(loop, ast.For) or not _goes_through_parameters(loop.iter, recogniser):
            continue
        nodes = [node for statement in loop.body for node in own_nodes(statement)]
        changes = [*_changes(nodes)]
        own = {id(one.target) for one in changes}
        bound = {
            one.id for one in nodes if isinstance(one, ast.Name) and _is_bound(one) and id(one) not in own
        }
        for change in changes:
            changed = (written(loop.target) - bound) | _kept_names(nodes, kept_keys)
            if isinstance(change.target, ast.Name) and change.target.id in changed:
                yield change


def _changes(nodes: Iterable[ast.AST]) -> Iterator[ast.AugAssign]:
    return (one for one in nodes if isinstance(one, ast.AugAssign) and isinstance(one.op, _OPERATORS))


def _is_by_own_gradient(change: ast.AugAssign) -> bool:
    """Whether what is added or taken away has `x.grad` for a target x: only a tensor that is trained has that."""
    own = dotted_name(change.target)
    return own is not None and any(
        isinstance(node, ast.Attribute) and node.attr == "grad" and dotted_name(node.value) == own
        for node in every_node(change.value)
    )


def _changes_of_leaves(tree: ast.Module, recogniser: Recogniser) -> Iterator[ast.AugAssign]:
    leaves = {
        dotted_name(target)
        for node in every_node(tree)
        if isinstance(node, ast.Assign) and _asks_for_gradients(node.value)
        for target in node.targets
    }
    for block in every_node(tree):
        if isinstance(block, ast.With) and any(map(recogniser.stops_recording, block.items)):
            nodes = (node for statement in block.body for node in own_nodes(statement))
            yield from (one for one in _changes(nodes) if dotted_name(one.target) in leaves - {None})


def _asks_for_gradients(value: ast.expr) -> bool:
    if not isinstance(value, ast.Call):
        return False
    return (isinstance(value.func, ast.Attribute) and value.func.attr == "requires_grad_") or any(
        one.arg == "requires_grad" and isinstance(one.value, ast.Constant) and one.value.value is True
        for one in value.keywords
    )


def _kept_keys(tree: ast.Module, recogniser: Recogniser) -> frozenset[str]:
    """The keys under which a file keeps tensors of torch: `state["mean"] = torch.zeros_like(p)`."""
    found: set[str] = set()
    lost: set[str] = set()
    for node in every_node(tree):
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
