"""Which statements compute a loss: from the first one that may depend on parameters and reaches it."""

from __future__ import annotations

import ast
from collections.abc import Collection

from mindport.registry.torch import torch_facts
from mindport.rewrite.training.branches import branch_of, refuse_branch
from mindport.rewrite.training.data_only import SETTINGS, DataOnly, data_before, makes_configuration
from mindport.rewrite.training.events import Recogniser, Unclear
from mindport.rewrite.training.flow import (
    Names,
    StatementPlace,
    dotted_reads,
    names_as_values,
    overlap,
    read_with_gradient,
    written,
)
from mindport.rewrite.training.graphs_of_callers import graph_from_outside
from mindport.rewrite.training.kept_graphs import calls_a_network, refuse_kept_graphs, refuse_kept_readers
from mindport.rewrite.training.step_parts import Backward, Placed, Scope, arguments_of, loop_of


def loss_region(placed: Placed, scope: Scope, recogniser: Recogniser) -> Backward:
    """The function that a `backward()` needs: from the first statement that may depend on parameters and reaches the
    loss."""
    place, at, event = placed.place, placed.at, placed.event
    assert event.loss is not None
    data = data_before(place, scope, recogniser)
    branch = branch_of(placed, recogniser)
    if branch is not None and place.outer is not None and not calls_a_network(event.loss, data, recogniser):
        place, at = place.outer, place.at
        data = data_before(place, scope, recogniser)
    else:
        branch = None
    is_data: list[bool] = []
    changes: list[Names] = []
    for statement in place.body[:at]:
        changes.append(data.changes(statement))
        is_data.append(data.take(statement))
        if isinstance(statement, ast.With) and all(map(recogniser.stops_recording, statement.items)):
            for name in written(statement):
                data.names.add(name)
            is_data[-1] = True
    holds_graph = recogniser.holds_graph
    needed = set(read_with_gradient(event.loss, holds_graph))
    reads = set(dotted_reads(event.loss, recogniser.functions))
    start = at
    slice_of_loss = {at}
    calls: list[ast.AST] = [event.loss]
    for number in range(at - 1, -1, -1):
        statement = place.body[number]
        if _makes_optimizer(statement, recogniser):
            break  # the step begins behind it, and so does what it differentiates
        writes = written(statement)
        is_needed = needed & writes or any(
            name.partition(".")[0] in needed and any(overlap(name, other) for other in reads)
            for name in changes[number]
        )
        if not is_needed or is_data[number]:
            continue
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
            continue
        if number < at and _is_configuration(statement, recogniser):
            continue
        calls.append(statement)
        slice_of_loss.add(number)
        start = number
        if not isinstance(statement, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
            needed -= writes - read_with_gradient(statement, holds_graph)
        needed |= read_with_gradient(statement, holds_graph)
        reads |= dotted_reads(statement, recogniser.functions)
    found = Backward(event, place, at, start, frozenset(slice_of_loss), frozenset(), branch=branch)
    _refuse_loss_from_outside(needed, found, scope, recogniser)
    if not any(calls_a_network(node, data, recogniser) for node in calls):
        raise Unclear("no network is called in the block that calls backward()", event.statement)
    own = [place.body[number] for number in sorted(slice_of_loss)]
    passed = frozenset(arguments_of(scope)) if isinstance(scope, ast.FunctionDef) else frozenset[str]()
    refuse_kept_graphs(own, place.body[: at + 1], passed, data, recogniser)
    refuse_kept_readers(calls, recogniser, event.statement)
    if branch is not None:
        refuse_branch(branch, found.statements, recogniser)
    found.arguments = _unknown_arguments(needed, place, start, at, scope, data, recogniser)
    if name := graph_from_outside(scope, found.arguments, [*own, event.loss], recogniser):
        reason = f"the loss depends on `{name}`, which a network computed in another function"
        raise Unclear(reason, event.statement)
    return found


def _is_configuration(statement: ast.stmt, recogniser: Recogniser) -> bool:
    """Whether a statement only makes layers, criteria or optimizers, as before a loop."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Call) and makes_configuration(recogniser.api(value.func))


def _makes_optimizer(statement: ast.stmt, recogniser: Recogniser) -> bool:
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Call) and torch_facts().is_optimizer_class(recogniser.api(value.func) or "")


def _refuse_loss_from_outside(
    needed: set[str], backward: Backward, scope: Scope, recogniser: Recogniser
) -> None:
    """Raise where the loss depends on something that the same pass computed outside the block."""
    values = {
        name
        for statement in (*backward.statements, backward.event.statement)
        for name in names_as_values(statement)
    } & needed
    inner = backward.place
    while inner.outer is not None and not inner.is_loop_body:
        outer = inner.outer
        data = data_before(outer, scope, recogniser)
        for statement in outer.body[: inner.at]:
            is_data = data.take(statement)
            if is_data or _is_configuration(statement, recogniser):
                continue
            found = values & (written(statement) - data.names)
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
                continue
            if found and not _is_before_training(outer):
                reason = f"the loss depends on `{min(found)}`, which is computed outside of the block with backward()"
                raise Unclear(reason, backward.event.statement)
        inner = outer


def _unknown_arguments(
    needed: Collection[str],
    place: StatementPlace,
    start: int,
    at: int,
    scope: Scope,
    data: DataOnly,
    recogniser: Recogniser,
) -> Names:
    """Arguments of a function that the loss depends on. In a loop they hold no graph: it would be used twice."""
    if not isinstance(scope, ast.FunctionDef) or loop_of(place) is not None:
        return frozenset()
    values = {name for statement in place.body[start : at + 1] for name in names_as_values(statement)}
    unknown = arguments_of(scope) - recogniser.without_graph.get(scope.name, frozenset())
    return frozenset(values & set(needed) & unknown - data.names - SETTINGS)


def _is_before_training(place: StatementPlace) -> bool:
    """Whether a list of statements is not repeated: what it computes is set up once."""
    return loop_of(place) is None and isinstance(place.owner, ast.Module)
