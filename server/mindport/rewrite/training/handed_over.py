"""The names that go into the function of a loss, and those that it gives back."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from mindport.rewrite.training.events import Recogniser, Unclear
from mindport.rewrite.training.flow import (
    Names,
    Reads,
    StatementPlace,
    leaves_loop,
    own_nodes,
    taken_from_outside,
    written,
)
from mindport.rewrite.training.step_parts import Backward, Scope, arguments_of, own_nodes_of
from mindport.source.trees import every_node

_REDUCTIONS = ("torch.sum", "torch.max", "torch.min")
_UNUSUAL = tuple(getattr(ast, name) for name in ("Match", "TryStar") if hasattr(ast, name))


def hand_over(backward: Backward, scope: Scope, recogniser: Recogniser) -> None:
    """Note in `backward` what its function takes and gives back. Raises Unclear where it can be none."""
    statements = backward.statements
    assigned: set[str] = set()
    for statement in statements:
        assigned |= written(statement)
        _refuse_control_flow(statement)
    backward.grown = tuple(_grown_lists(statements))
    assigned -= {one.target.id for one in backward.grown if isinstance(one.target, ast.Name)}
    for node in own_nodes_of(scope):
        if isinstance(node, (ast.Global, ast.Nonlocal)) and assigned.intersection(node.names):
            raise Unclear("the loss is computed with global names", node)
    flow = Reads(statements)
    backward.handed_in = frozenset(flow.exposed & assigned)
    inside = {id(node) for statement in statements for node in every_node(statement)}
    shared = assigned & _read_elsewhere(scope, inside)
    if shared:
        reason = f"`{min(shared)}` is written while the loss is computed, and other functions read it"
        raise Unclear(reason, backward.event.statement)
    out = (assigned & backward.place.live_after(backward.end - 1)) - _unbound(statements)
    unsure = out - flow.assigned - backward.handed_in
    # What is written in some cases only keeps its old value in the others.
    backward.handed_in |= unsure
    missing = backward.handed_in - _bound_before(backward.place, backward.start, scope)
    if missing:
        raise Unclear(
            f"`{min(missing)}` may have no value before the loss is computed", backward.event.statement
        )
    names = _names(backward.event.loss)
    name = names[0] if isinstance(backward.event.loss, ast.Name) else ""
    order = sorted(out - {name}, key=lambda one: (_first_written(statements, one), one))
    backward.handed_out = tuple(order)
    backward.tensors = frozenset(_sure_tensors(statements, names, recogniser))


def _unbound(statements: Sequence[ast.stmt]) -> Names:
    """Names that have no value behind the statements, which deleted them: there is nothing to give back."""
    found: set[str] = set()
    for statement in statements:
        found -= written(statement)
        if isinstance(statement, ast.Delete):
            found |= written(statement)
        elif isinstance(statement, ast.With):
            found |= _unbound(statement.body)
    return frozenset(found)


def _grown_lists(statements: Sequence[ast.stmt]) -> Iterator[ast.AugAssign]:
    """The statements `norms += [norm]` about lists that get no other value: they are changed, and need not be handed
    in, where MindSpore would look for changes."""
    nodes = [node for statement in statements for node in own_nodes(statement)]
    changes = [node for node in nodes if isinstance(node, ast.AugAssign) and _grows(node)]
    targets = {id(one.target) for one in changes}
    bound = {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in targets
    }
    return (one for one in changes if isinstance(one.target, ast.Name) and one.target.id not in bound)


def _grows(change: ast.AugAssign) -> bool:
    return (
        isinstance(change.target, ast.Name)
        and isinstance(change.op, ast.Add)
        and isinstance(change.value, (ast.List, ast.ListComp))
    )


def _refuse_control_flow(statement: ast.stmt) -> None:
    if leaves_loop(statement):
        raise Unclear("`break` or `continue` stands between the loss and backward()", statement)
    for node in own_nodes(statement):
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncWith, ast.AsyncFor)):
            raise Unclear("the function is left between the loss and backward()", node)
        if isinstance(node, _UNUSUAL):
            raise Unclear("a `match` stands between the loss and backward()", node)
        called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if called in ("locals", "vars", "exec", "eval"):
            raise Unclear("local names are read by a built-in function", node)
        if called == "super" and isinstance(node, ast.Call) and not node.args:
            raise Unclear("super() is called between the loss and backward()", node)


def _read_elsewhere(scope: Scope, inside: Collection[int]) -> Names:
    """Names of the scope that functions in it read or write, but for the functions made by the nodes `inside`: they may
    be called at any time."""
    found: set[str] = set()
    for node in own_nodes_of(scope):
        if id(node) not in inside:
            found |= taken_from_outside(node)
    return frozenset(found)


def _bound_before(place: StatementPlace, start: int, scope: Scope) -> Names:
    """Names that surely have a value where a statement is reached."""
    found = set(Reads(place.body[:start]).assigned)
    inner = place
    while True:
        if isinstance(inner.owner, (ast.For, ast.AsyncFor)) and inner.is_loop_body:
            found |= written(inner.owner.target)
        if isinstance(inner.owner, ast.With):
            for item in inner.owner.items:
                found |= written(item)
        if inner.outer is None:
            break
        found |= Reads(inner.outer.body[: inner.at]).assigned
        inner = inner.outer
    if isinstance(scope, ast.FunctionDef):
        found |= arguments_of(scope)
    return frozenset(found)


def _first_written(statements: Sequence[ast.stmt], name: str) -> int:
    return next(number for number, one in enumerate(statements) if name in written(one))


def _names(loss: ast.expr | None) -> list[str]:
    return [] if loss is None else [one.id for one in every_node(loss) if isinstance(one, ast.Name)]


def _sure_tensors(
    statements: Sequence[ast.stmt], losses: Sequence[str], recogniser: Recogniser
) -> Iterator[str]:
    """Names that surely hold tensors, or tuples and lists: what a function of torch gives, and what another call gives
    where the loss is that or is computed from it first of all, as `criterion(output, ...)` does. The results of other
    calls may be numbers or arrays."""
    given = {*_first_arguments(statements, losses), *(losses if len(losses) == 1 else ())}
    for statement in statements:
        for one in every_node(statement):
            if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call):
                is_torch = recogniser.api(one.value.func).startswith("torch.")
                if is_torch and (recogniser.api(one.value.func) in _REDUCTIONS or not _is_number(one.value)):
                    yield from (name for target in one.targets for name in written(target))
                elif not _is_number(one.value):
                    yield from (name for target in one.targets for name in written(target) if name in given)


def _first_arguments(statements: Sequence[ast.stmt], losses: Sequence[str]) -> Iterator[str]:
    """The names that stand first in the calls of which a loss is made."""
    for statement in statements:
        for one in every_node(statement):
            if isinstance(one, (ast.Assign, ast.AugAssign)) and written(one).intersection(losses):
                for call in every_node(one.value):
                    if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Name):
                        yield call.args[0].id


def _is_number(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    return name in (
        "item",
        "int",
        "float",
        "len",
        "time",
        "size",
        "tolist",
        "numpy",
        "sum",
        "max",
        "min",
        "str",
        "round",
        "now",
    )
