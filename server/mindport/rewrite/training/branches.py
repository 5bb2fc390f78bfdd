"""Losses that are computed in every pass, but whose `backward()` is called in some passes only: one loop that trains
and validates, `if phase == "train": loss.backward()`.

The function of the loss stands before the `if`. Where the gradients are taken it is differentiated, else only called.
The condition is then asked before the loss is computed, so nothing on the way to the loss may change it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from mindport.rewrite.training.data_only import is_setting
from mindport.rewrite.training.events import Recogniser, StepEvent, Unclear
from mindport.rewrite.training.flow import own_nodes, written
from mindport.rewrite.training.layout import Layout
from mindport.rewrite.training.step_parts import Backward, Placed
from mindport.source.trees import every_node

_VALUES = (ast.Name, ast.Constant, ast.Attribute, ast.Tuple, ast.List, ast.expr_context)
_OPERATIONS = (
    ast.Compare,
    ast.cmpop,
    ast.BoolOp,
    ast.boolop,
    ast.UnaryOp,
    ast.unaryop,
    ast.BinOp,
    ast.operator,
)
_SWITCHES = ("torch.set_grad_enabled", "torch.autograd.set_grad_enabled")


def branch_of(placed: Placed, recogniser: Recogniser) -> ast.If | None:
    """The `if` that begins with a `backward()`, but for statements that clear gradients."""
    owner = placed.place.owner
    if not isinstance(owner, ast.If) or placed.place.body is not owner.body:
        return None
    for statement in owner.body[: placed.at]:
        event = recogniser.event(statement)
        if event is None or event.what is not StepEvent.ZERO:
            return None
    return owner


def refuse_branch(branch: ast.If, statements: Sequence[ast.stmt], recogniser: Recogniser) -> None:
    """Raise Unclear where a condition cannot be asked before `statements`, or what follows it cannot be written to."""
    if not is_stable(branch.test, statements, recogniser):
        raise Unclear("whether backward() is called may depend on what computes the loss", branch)
    if branch.orelse and branch.orelse[0].col_offset == branch.col_offset:
        raise Unclear("backward() is called in one of several cases", branch)


def is_plain(test: ast.expr) -> bool:
    """Whether a condition calls nothing and changes nothing."""
    return all(isinstance(node, (*_VALUES, *_OPERATIONS)) for node in every_node(test))


def is_stable(test: ast.expr, statements: Sequence[ast.stmt], recogniser: Recogniser) -> bool:
    """Whether a condition surely has the same value before statements and after them."""
    changed = recogniser.changed_elsewhere.union(*map(written, statements))
    stored = {
        node.attr
        for statement in statements
        for node in own_nodes(statement)
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    }
    if not is_plain(test):
        return False
    for node in every_node(test):
        if isinstance(node, ast.Name) and node.id in changed:
            return False
        if isinstance(node, ast.Attribute) and (
            node.attr in stored or not _keeps_its_value(node, statements, recogniser)
        ):
            return False
    return True


def _keeps_its_value(node: ast.Attribute, statements: Sequence[ast.stmt], recogniser: Recogniser) -> bool:
    """Whether calls of other functions leave an attribute as it is: the mode of a network, a setting, an attribute that
    only the constructor sets."""
    if node.attr == "training":
        calls = (one for statement in statements for one in own_nodes(statement) if isinstance(one, ast.Call))
        return not any(
            isinstance(one.func, ast.Attribute) and one.func.attr in ("train", "eval") for one in calls
        )
    is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
    return is_setting(node) or (is_own and node.attr not in recogniser.changed_elsewhere)


def leave_switches_out(
    backwards: Sequence[Backward], layout: Layout, recogniser: Recogniser
) -> Iterator[ast.stmt]:
    """Write the bodies of `with torch.set_grad_enabled(...)` in place of the blocks, where a function has its gradients
    taken or not by the same condition; gives the headers that go, as statements."""
    blocks = {id(block): block for one in backwards for block in _switches(one, recogniser)}
    for block in blocks.values():
        if layout.stands_alone(block):
            layout.unwrap(layout.at(block), layout.at(block.body[0]), layout.last_of(block))
            (switch,) = block.items
            yield ast.copy_location(ast.Expr(switch.context_expr), switch.context_expr)


def _switches(backward: Backward, recogniser: Recogniser) -> Iterator[ast.With]:
    """The blocks around a `backward()`, and those of its function under the condition of its branch, that switch
    recording for gradients by a condition."""
    inner = backward.place
    while isinstance(inner.owner, ast.With) and inner.outer is not None:
        if _condition(inner.owner, recogniser):
            yield inner.owner  # it is on wherever backward() is reached
        inner = inner.outer
    if backward.branch is not None:
        for one in backward.statements:
            if isinstance(one, ast.With) and _condition(one, recogniser) == ast.unparse(backward.branch.test):
                yield one


def _condition(block: ast.With, recogniser: Recogniser) -> str:
    """The text of the condition in `with torch.set_grad_enabled(condition)`; nothing for any other block."""
    call = block.items[0].context_expr
    if len(block.items) > 1 or block.items[0].optional_vars is not None or not isinstance(call, ast.Call):
        return ""
    if (
        recogniser.api(call.func) not in _SWITCHES
        or len(call.args) != 1
        or isinstance(call.args[0], ast.Constant)
    ):
        return ""
    return ast.unparse(call.args[0])
