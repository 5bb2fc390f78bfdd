"""Finds the training steps of a scope: which gradients each optimizer steps with, and which statements compute the
loss that they are gradients of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.training.events import Recogniser, StepEvent, Unclear
from mindport.rewrite.training.flow import places
from mindport.rewrite.training.handed_over import hand_over
from mindport.rewrite.training.loss_region import loss_region
from mindport.rewrite.training.nesting import nest
from mindport.rewrite.training.step_parts import OptimizerStep, Placed, Scope, Training, own_nodes_of
from mindport.rewrite.training.windows import Accumulates, clipped_step, first_of_sum, window_of


def find_training(scope: Scope, recogniser: Recogniser) -> Training | None:
    """The training steps of a scope; None where it has none. Raises Unclear where one cannot be rewritten."""
    found = list(events_of(scope, recogniser))
    if not any(one.event.what is StepEvent.BACKWARD for one in found):
        lonely = next((one for one in found if one.event.what is StepEvent.STEP), None)
        if lonely is not None:
            raise Unclear("backward() is called in another function than step()", lonely.event.statement)
        return None
    _refuse_what_reads_gradients(scope, recogniser)
    steps = [one for one in found if one.event.what is StepEvent.STEP]
    if not steps:
        unstepped = next(one for one in found if one.event.what is StepEvent.BACKWARD)
        raise Unclear(
            "the optimizer steps in another function than the one with backward()", unstepped.event.statement
        )
    backwards = {
        id(one): loss_region(one, scope, recogniser) for one in found if one.event.what is StepEvent.BACKWARD
    }
    zeros = [one for one in found if one.event.what is StepEvent.ZERO]
    dropped = [one.event for one in found if one.event.what in (StepEvent.UNSCALE, StepEvent.UPDATE)]
    try:
        windows = [window_of(one, found, recogniser) for one in steps]
    except Accumulates as unclear:
        first = first_of_sum(found, scope, unclear)
        every = list(backwards.values())
        for backward in every:
            backward.optimizers.append(steps[0].event.owner)
            hand_over(backward, scope, recogniser)
        clips = [one.event for one in found if one.event.what is StepEvent.CLIP]
        sums = [OptimizerStep(one.event, one.place, one.at, every) for one in steps]
        sums[0].clips.extend(clips)
        return Training(scope, every, sums, zeros, dropped, accumulates=True, first=first)
    done = []
    for one, window in zip(steps, windows, strict=True):
        taken = [backwards[id(other)] for other in window]
        for backward in taken:
            if one.event.owner not in backward.optimizers:
                backward.optimizers.append(one.event.owner)
        done.append(OptimizerStep(one.event, one.place, one.at, taken))
    for placed in found:
        if placed.event.what is StepEvent.BACKWARD and not backwards[id(placed)].optimizers:
            raise Unclear("no optimizer steps with these gradients", placed.event.statement)
        if placed.event.what is StepEvent.CLIP:
            clipped_step(placed, done, found).clips.append(placed.event)
    nest(list(backwards.values()))
    for backward in backwards.values():
        hand_over(backward, scope, recogniser)
    return Training(scope, list(backwards.values()), done, zeros, dropped)


def events_of(scope: Scope, recogniser: Recogniser) -> Iterator[Placed]:
    """The events of a scope in the order of the text."""
    found = []
    for place in places(scope):
        for at, statement in enumerate(place.body):
            event = recogniser.event(statement)
            if event is not None:
                found.append(Placed(event, place, at))
    return iter(sorted(found, key=lambda one: one.event.statement.lineno))


def _refuse_what_reads_gradients(scope: Scope, recogniser: Recogniser) -> None:
    for node in own_nodes_of(scope):
        if (
            isinstance(node, ast.Attribute)
            and node.attr == "grad"
            and recogniser.api(node) != "torch.autograd.grad"
        ):
            raise Unclear("gradients are read by hand", node)
        if (
            isinstance(node, ast.Call)
            and _name(node.func) in recogniser.gradient_readers
            and not recogniser.api(node.func)
        ):
            raise Unclear("gradients are read by a function that is called here", node)


def _name(node: ast.expr) -> str:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""
