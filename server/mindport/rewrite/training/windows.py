"""Which gradients a step takes: the `backward()` calls since they were last cleared, and the limits put on them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from mindport.rewrite.training.branches import is_stable
from mindport.rewrite.training.events import Recogniser, StepEvent, Unclear
from mindport.rewrite.training.flow import StatementPlace
from mindport.rewrite.training.step_parts import OptimizerStep, Placed, Scope, loop_of


class Accumulates(Unclear):
    """Gradients of several passes are added up before a step."""


def window_of(step: Placed, found: Sequence[Placed], recogniser: Recogniser) -> list[Placed]:
    """The `backward()` calls between the last `zero_grad()` and a step, in the order of the text."""
    loop = loop_of(step.place)
    inside = [one for one in found if loop is None or _is_inside(one.place, loop)]
    at = inside.index(step)
    owner = step.event.owner
    zeroed = _zeroed_names(owner, found)
    # Backwards from the step; round the loop once, where there is one.
    before = list(reversed(inside[:at]))
    after = list(reversed(inside[at + 1 :])) if loop is not None else []
    window: list[Placed] = []
    for number, one in enumerate((*before, *after)):
        if one.event.what is StepEvent.ZERO and one.event.owner in zeroed:
            is_round_the_loop = number >= len(before)
            if not _is_certain(one.place, step.place, is_round_the_loop, recogniser):
                raise Accumulates(
                    "gradients are cleared in some passes of the loop only", one.event.statement
                )
            break
        if one.event.what is StepEvent.BACKWARD:
            if number >= len(before):
                raise Accumulates("gradients of several passes are added up", one.event.statement)
            window.append(one)
    else:
        outside = [one for one in found if one not in inside]
        if loop is not None or not any(one.event.owner in zeroed for one in outside):
            raise Unclear("the gradients are never cleared in this loop", step.event.statement)
    window.reverse()
    if not window:
        raise Unclear("no backward() stands before this step in its loop", step.event.statement)
    for one in window:
        if one.place is not step.place:
            raise Accumulates("the step is not taken in the same block as backward()", one.event.statement)
    return window


def first_of_sum(found: Sequence[Placed], scope: Scope, unclear: Unclear) -> ast.stmt | None:
    """Where gradients are added up over passes of a loop: the loop before which there are none, or None where they are
    always cleared before it. Raises `unclear` where that is not certain."""
    steps = [one for one in found if one.event.what is StepEvent.STEP]
    optimizers = {one.event.owner for one in steps}
    backwards = [one for one in found if one.event.what is StepEvent.BACKWARD]
    zeros = [one for one in found if one.event.what is StepEvent.ZERO]
    if (
        len(optimizers) > 1
        or not zeros
        or {one.event.owner for one in zeros} - _zeroed_names(min(optimizers), found)
    ):
        raise unclear
    for one in backwards:
        for other in backwards:
            if one is not other and one.place is other.place:
                raise unclear  # their functions may lie in each other
    if any(_is_always_before(zero, [*backwards, *steps]) for zero in zeros):
        return None
    outermost = [
        statement
        for statement in scope.body
        if any(statement is node for one in backwards for node in _chain(one, scope))
    ]
    if len(outermost) != 1:
        raise unclear
    at = scope.body.index(outermost[0])
    makes_it = any(min(optimizers) in _targets(statement) for statement in scope.body[:at])
    if not makes_it:
        raise Unclear(
            "gradients of an earlier call may be left in the optimizer", backwards[0].event.statement
        )
    return outermost[0]


def _is_always_before(zero: Placed, others: Sequence[Placed]) -> bool:
    """Whether a statement is run before each of the others, in whichever pass of a loop around all of them."""

    def at_in_its_list(other: Placed) -> int:
        inner = other.at
        for place in (other.place, *other.place.ancestors()):
            if place is zero.place:
                return inner
            inner = place.at
        return -1

    return all(at_in_its_list(other) > zero.at for other in others)


def _chain(placed: Placed, scope: Scope) -> Iterator[ast.stmt]:
    """The statements around one, and itself."""
    yield placed.event.statement
    for one in (placed.place, *placed.place.ancestors()):
        if isinstance(one.owner, ast.stmt) and one.owner is not scope:
            yield one.owner


def _targets(statement: ast.stmt) -> set[str]:
    return (
        {ast.unparse(target) for target in statement.targets} if isinstance(statement, ast.Assign) else set()
    )


def _zeroed_names(optimizer: str, found: Sequence[Placed]) -> set[str]:
    """What `zero_grad` is called on to clear the gradients of an optimizer: itself, or its network where that is the
    only one."""
    optimizers = {one.event.owner for one in found if one.event.what is StepEvent.STEP}
    others = {one.event.owner for one in found if one.event.what is StepEvent.ZERO} - optimizers
    if len(optimizers) == 1 and len(others) <= 1:
        return {optimizer, *others}
    return {optimizer, *(name for name in others if _suffix(name) and _suffix(name) == _suffix(optimizer))}


def _suffix(name: str) -> str:
    """What sets apart the names of a network and of its optimizer: netD, optimizerD, optimizer_D, opt_d."""
    bare = name.rpartition(".")[2].lower()
    for start in ("optimizer", "optim", "opt", "net", "model"):
        if bare.startswith(start):
            return bare.removeprefix(start).strip("_")
    return bare.strip("_")


def _is_certain(
    zero: StatementPlace, step: StatementPlace, is_round_the_loop: bool, recogniser: Recogniser
) -> bool:
    """Whether the gradients are cleared whenever the step is reached."""
    if zero is step:
        return True
    return not is_round_the_loop and (_is_inside(step, zero) or _is_same_case(zero, step, recogniser))


def _is_same_case(zero: StatementPlace, step: StatementPlace, recogniser: Recogniser) -> bool:
    """Whether two lists stand in the same list, one after the other, each under an `if` of the same condition."""
    first, second = zero.owner, step.owner
    if zero.outer is None or zero.outer is not step.outer:
        return False
    if not isinstance(first, ast.If) or not isinstance(second, ast.If):
        return False
    is_first_case = zero.body is first.body and step.body is second.body
    between = zero.outer.body[zero.at : step.at]
    is_same = ast.unparse(first.test) == ast.unparse(second.test)
    return is_first_case and is_same and is_stable(first.test, between, recogniser)


def clipped_step(clip: Placed, steps: Sequence[OptimizerStep], found: Sequence[Placed]) -> OptimizerStep:
    """The step that takes the gradients which are limited."""
    place, at = clip.place, clip.at
    while isinstance(place.owner, ast.If) and place.outer is not None:
        if any(step.place is place for step in steps):
            break
        place, at = place.outer, place.at
    following = [step for step in steps if step.place is place and step.at > at]
    if not following:
        raise Unclear("gradients are limited in another block than the step", clip.event.statement)
    step = following[0]
    if any(len(backward.optimizers) > 1 for backward in step.backwards):
        raise Unclear("gradients that two optimizers take are limited", clip.event.statement)
    if any(backward.event.statement.lineno > clip.event.statement.lineno for backward in step.backwards):
        raise Unclear("gradients are limited before all of them are there", clip.event.statement)
    networks = {one.event.owner for one in found if one.event.what is StepEvent.CLIP}
    optimizers = {one.event.owner for one in steps}
    if len(networks) > 1 and len(optimizers) < len(networks):
        raise Unclear("not all gradients of the optimizer are limited together", clip.event.statement)
    if len(optimizers) > 1 and _suffix(clip.event.owner) != _suffix(step.event.owner):
        raise Unclear("which optimizer's gradients are limited is not certain", clip.event.statement)
    return step


def _is_inside(place: StatementPlace, outer: StatementPlace) -> bool:
    return place is outer or any(one is outer for one in place.ancestors())
