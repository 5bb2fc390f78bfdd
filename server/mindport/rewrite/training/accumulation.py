"""Turns a plain training loop of torch into one that adds up the gradients of several batches before each step.

    optimizer.zero_grad()
    for step, (x, y) in enumerate(loader):
        loss = criterion(net(x), y)
        (loss / accumulation_steps).backward()
        if (step + 1) % accumulation_steps == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()

Each step then has the gradient of one batch that is that many times as large, where the loss is a mean over the batch
and no layer looks at the batch as a whole. A last group with fewer batches weighs less, so that each sample counts the
same. A loss that is a sum is not divided. Only who trains can want this, so it is never part of `mindport fix`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import msgspec

from mindport.model.language import later
from mindport.model.span import Span
from mindport.model.verdict import Applicability
from mindport.rewrite.pieces import Piece, Rewrite
from mindport.rewrite.spans import span_of
from mindport.rewrite.training.events import Recogniser, StepEvent, Unclear
from mindport.rewrite.training.flow import StatementPlace, forget, leaves_loop, own_nodes
from mindport.rewrite.training.layout import Layout, Line, logical_lines
from mindport.rewrite.training.passes import count_passes, free_name
from mindport.rewrite.training.rewrites import Refusal, scopes_of
from mindport.rewrite.training.step_parts import Placed, Scope, loop_of
from mindport.rewrite.training.steps import events_of
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.usage.api_use import FileUsage

TITLE = later("Accumulate gradients over several batches")
USUAL_BATCHES = 4


class AccumulationRewrite(msgspec.Struct, frozen=True):
    """The rewrite of one loop. `loop` is where the loop stands."""

    loop: Span
    rewrite: Rewrite


class AccumulationRewrites(msgspec.Struct, frozen=True):
    """What can be written for the training loops of a file, and why other loops stay."""

    rewrites: tuple[AccumulationRewrite, ...] = ()
    refusals: tuple[Refusal, ...] = ()


def accumulation_rewrites(text: str, usage: FileUsage, batches: int = USUAL_BATCHES) -> AccumulationRewrites:
    """The loops of a file that call `backward()`, each rewritten to step once in `batches` passes."""
    if ".backward(" not in text:
        return AccumulationRewrites()
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return AccumulationRewrites()
    lines = LineIndex(text)
    recogniser = Recogniser(usage.uses, lines, own_methods=usage.own_methods)
    taken = {node.id for node in every_node(tree) if isinstance(node, ast.Name)}
    taken |= {node.arg for node in every_node(tree) if isinstance(node, ast.arg)}
    numbered = logical_lines(lines)
    rewrites: list[AccumulationRewrite] = []
    refusals: list[Refusal] = []
    try:
        for scope in scopes_of(tree):
            for loop, events in _loops(scope, recogniser, lines, refusals):
                layout = Layout(lines, numbered)
                where = span_of(loop, lines)
                try:
                    _Plan(loop, events, recogniser, lines).write(layout, taken, batches)
                except Unclear as unclear:
                    refusals.append(Refusal(where, unclear.reason))
                    continue
                for rewrite in layout.rewrites(Applicability.UNSAFE, TITLE):
                    rewrites.append(AccumulationRewrite(where, rewrite))
    finally:
        forget()
    return AccumulationRewrites(tuple(rewrites), tuple(refusals))


def _loops(
    scope: Scope, recogniser: Recogniser, lines: LineIndex, refusals: list[Refusal]
) -> Iterator[tuple[ast.stmt, list[Placed]]]:
    """The innermost loops of a scope that call `backward()`, each with the events in it."""
    try:
        events = list(events_of(scope, recogniser))
    except Unclear as unclear:
        assert isinstance(unclear.node, (ast.expr, ast.stmt))
        refusals.append(Refusal(span_of(unclear.node, lines), unclear.reason))
        return
    seen: list[ast.AST] = []
    for event in events:
        loop = loop_of(event.place) if event.event.what is StepEvent.BACKWARD else None
        if loop is not None and loop.owner not in seen:
            assert isinstance(loop.owner, ast.stmt)
            seen.append(loop.owner)
            yield loop.owner, [one for one in events if _is_inside(one.place, loop)]


class _Plan:
    """What is done with one loop. Raises Unclear where it is no plain one."""

    def __init__(
        self, loop: ast.stmt, events: Sequence[Placed], recogniser: Recogniser, lines: LineIndex
    ) -> None:
        if not isinstance(loop, ast.For) or loop.orelse:
            raise Unclear("the loop does not go over batches", loop)
        self._loop = loop
        self._lines = lines
        self._recogniser = recogniser
        backwards = [one for one in events if one.event.what is StepEvent.BACKWARD]
        steps = [one for one in events if one.event.what is StepEvent.STEP]
        self._zeros = [one for one in events if one.event.what is StepEvent.ZERO]
        self._backward = backwards[0]
        if len(backwards) > 1 or len(steps) > 1:
            raise Unclear("there is more than one backward() or step() in the loop", loop)
        if not steps or not self._zeros:
            raise Unclear("gradients are not cleared and used in each pass of the loop", loop)
        self._place = self._backward.place
        if any(one.place is not self._place for one in events) or self._place.owner is not loop:
            raise Unclear("gradients are not cleared and used in each pass of the loop", loop)
        self._first, self._last = self._group(steps[0], events)
        self._refuse_other_ways_out()

    def _group(self, step: Placed, events: Sequence[Placed]) -> tuple[int, int]:
        """The statements of the body, from the first to the last, that belong to a step and not to a batch."""
        at = self._backward.at
        with_step = {
            one.at
            for one in events
            if one.event.what
            in (StepEvent.STEP, StepEvent.CLIP, StepEvent.UNSCALE, StepEvent.UPDATE, StepEvent.ZERO)
            and one.at > at
        }
        if step.at < at or any(one.event.what is StepEvent.CLIP and one.at < at for one in events):
            raise Unclear("the step stands before backward()", step.event.statement)
        follows = {number for number, one in enumerate(self._place.body) if self._follows_steps(one)}
        first = min(with_step)
        last = step.at
        while last + 1 in with_step | follows:
            last += 1
        for number in range(first, last + 1):
            if number not in with_step | follows:
                raise Unclear("other statements stand between backward() and step()", step.event.statement)
        if any(not first <= number <= last for number in follows):
            raise Unclear("what counts steps stands apart from the step", step.event.statement)
        if max((one for one in with_step if one > last), default=last) > last:
            raise Unclear("gradients are cleared apart from the step", step.event.statement)
        return first, last

    def _follows_steps(self, statement: ast.stmt) -> bool:
        """Whether a statement counts steps: a schedule of learning rates, a moving average of the weights."""
        for node in own_nodes(statement):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            owner = ast.unparse(node.func.value).rpartition(".")[2].lower()
            if node.func.attr == "step" and ("sched" in owner or self._is_schedule(node.func)):
                return True
            if node.func.attr in ("update", "update_parameters") and "ema" in owner.split("_"):
                return True
        return False

    def _is_schedule(self, function: ast.expr) -> bool:
        return self._recogniser.api(function).startswith("torch.optim.lr_scheduler.")

    def _refuse_other_ways_out(self) -> None:
        """A pass that ends early would be counted, and its gradients would not be there."""
        for number, statement in enumerate(self._place.body):
            if number <= self._last and leaves_loop(statement):
                raise Unclear("a pass of the loop may end before the step", statement)
            if any(isinstance(node, ast.Continue) for node in own_nodes(statement)):
                raise Unclear("a pass of the loop may end before the step", statement)

    def write(self, layout: Layout, taken: set[str], batches: int) -> None:
        """Move the lines of a layout."""
        body = self._place.body
        zeros = [one.event.statement for one in self._zeros]
        for statement in (body[self._first], body[self._last], self._backward.event.statement, *zeros):
            if not layout.stands_alone(statement):
                raise Unclear("several statements share a line", statement)
        count = free_name("accumulation_steps", taken)
        number, all_passes = count_passes(self._loop, layout, self._lines, taken)
        first_line, last_line = layout.at(body[self._first]), layout.last_of(body[self._last])
        layout.indent(first_line, last_line)
        condition = f"if ({number} + 1) % {count} == 0 or {number} + 1 == {all_passes}:"
        layout.insert_before(first_line, 0, (condition,))
        clearing: list[Line] = [(ast.unparse(one),) for one in zeros]
        if not any(self._first <= one.at <= self._last for one in self._zeros):
            layout.insert_after(last_line, 1, *clearing)
        for one in self._zeros:
            if not self._first <= one.at <= self._last:
                layout.delete(layout.at(one.event.statement))
        self._divide(layout, count)
        outermost = self._outermost_loop()
        layout.insert_before(layout.at(outermost), 0, (f"{count} = {batches}",))
        if not self._is_cleared_already(clearing):
            layout.insert_before(layout.at(self._loop), 0, *clearing)

    def _outermost_loop(self) -> ast.stmt:
        found: ast.stmt = self._loop
        for place in self._place.ancestors():
            if place.is_loop_body and isinstance(place.owner, ast.stmt):
                found = place.owner
        return found

    def _is_cleared_already(self, clearing: Sequence[Line]) -> bool:
        """Whether the statements right above the loop clear the gradients."""
        outer = self._place.outer
        assert outer is not None
        above = outer.body[max(self._place.at - len(clearing), 0) : self._place.at]
        return [(ast.unparse(one),) for one in above] == list(clearing)

    def _divide(self, layout: Layout, count: str) -> None:
        """Make the loss the share that one batch has in the mean over all of a group."""
        event = self._backward.event
        assert event.loss is not None
        if self._is_sum(event.loss):
            return
        loss, whole = span_of(event.loss, self._lines), span_of(event.statement, self._lines)
        is_tight = isinstance(event.loss, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
        divided: Line = (loss,) if is_tight else ("(", loss, ")")
        divided = (*divided, f" / {count}")
        if not event.scaler:
            divided = ("(", *divided, ")")
        before = Span(whole.line, whole.column, loss.line, loss.column)
        after = Span(loss.end_line, loss.end_column, whole.end_line, whole.end_column)
        if not event.scaler and not is_tight:  # the parentheses around the sum that it is are its own
            before, after = _without_parentheses(before, after, self._lines)
        layout.replace(layout.at(event.statement), (*_kept(before), *divided, *_kept(after)))

    def _is_sum(self, loss: ast.expr) -> bool:
        """Whether a loss is a sum over the batch, as its last computation says."""
        value = loss
        if isinstance(loss, ast.Name):
            made = [
                one.value
                for one in self._place.body[: self._backward.at]
                if isinstance(one, ast.Assign)
                and [ast.unparse(target) for target in one.targets] == [loss.id]
            ]
            value = made[-1] if made else loss
        if not isinstance(value, ast.Call):
            return False
        if isinstance(value.func, ast.Attribute) and value.func.attr == "sum":
            return True
        return any(
            one.arg == "reduction" and isinstance(one.value, ast.Constant) and one.value.value == "sum"
            for one in (*value.keywords, *self._criterion_options(value.func))
        )

    def _criterion_options(self, function: ast.expr) -> Iterator[ast.keyword]:
        """The options of a criterion that the lists of statements around the loop make."""
        name = ast.unparse(function)
        for place in self._place.ancestors():
            for one in place.body:
                if not isinstance(one, ast.Assign) or not isinstance(one.value, ast.Call):
                    continue
                if name in [ast.unparse(target) for target in one.targets]:
                    yield from one.value.keywords


def _is_inside(place: StatementPlace, outer: StatementPlace) -> bool:
    return place is outer or any(one is outer for one in place.ancestors())


def _kept(span: Span) -> tuple[Piece, ...]:
    return () if span.start == span.end else (span,)


def _without_parentheses(before: Span, after: Span, lines: LineIndex) -> tuple[Span, Span]:
    """What stands around an expression, without the parentheses that close in on it."""
    left, right = lines.slice(before), lines.slice(after)
    if left.strip() != "(" or not right.startswith(")"):
        return before, after
    return (
        Span(before.line, before.column, before.line, before.column),
        Span(after.line, after.column + 1, after.end_line, after.end_column),
    )
