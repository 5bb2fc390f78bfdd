"""Writes training steps: a function for each loss, `value_and_grad` of it, and the optimizer called with the
gradients."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from mindport.model.span import Position, Span
from mindport.rewrite.pieces import HelperName, mindspore_name
from mindport.rewrite.spans import span_of
from mindport.rewrite.training.branches import is_plain
from mindport.rewrite.training.events import Event, Recogniser, clip_function
from mindport.rewrite.training.layout import Layout, Line
from mindport.rewrite.training.step_parts import Backward, OptimizerStep, Training


class StepWriter:
    """Writes the steps of one scope. `taken` are the names that the file uses already; `stepping` is the function
    that calls an optimizer; without one it is called itself."""

    def __init__(
        self,
        training: Training,
        layout: Layout,
        recogniser: Recogniser,
        taken: Iterable[str],
        *,
        stepping: HelperName | None,
    ) -> None:
        self._training = training
        self._layout = layout
        self._recogniser = recogniser
        self._taken = set(taken)
        self._stepping = stepping
        self._total = ""  # the name of gradients that are added up over several passes
        self._gradients: dict[int, str] = {}  # id of a Backward -> the name of its gradients
        self._said: dict[int, tuple[Line, ...]] = {}  # line of a backward() -> comments above its clearing

    def write(self) -> None:
        """Write the steps into the layout."""
        training = self._training
        names = self._names([_word(one) for one in training.backwards], "forward", "forward_{}")
        if training.accumulates:
            self._total = self._free("grads")
            gradients = [self._free("more_grads")] * len(training.backwards)
        else:
            gradients = self._names([_word(one) for one in training.backwards], "grads", "{}_grads")
        for number, backward in enumerate(training.backwards):
            self._gradients[id(backward)] = gradients[number]
        for zero in training.zeros:
            statement, block = zero.event.statement, zero.place.owner
            if training.accumulates:
                self._layout.replace(self._line_of(statement), (f"{self._total} = None",))
            elif isinstance(block, ast.If) and self._only_clears(block):
                self._layout.delete_block(block)
            else:
                self._delete_clearing(self._line_of(statement))
        for event in training.dropped:
            self._layout.delete(self._line_of(event.statement))
        functions = list(zip(training.backwards, names, strict=True))
        functions.sort(key=lambda one: (one[0].statements[0].lineno, -one[0].event.statement.lineno))
        for backward, name in functions:  # outer ones first
            self._write_function(backward, name)
        for step in training.steps:
            self._write_step(step)
        if training.first is not None:
            self._layout.insert_before(self._line_of(training.first), 0, (f"{self._total} = None",))

    # --- pieces

    def _span(self, node: ast.expr) -> Span:
        return span_of(node, self._layout.index)

    def _line_of(self, node: ast.stmt) -> int:
        return self._layout.at(node)

    # --- names

    def _names(self, words: Sequence[str], single: str, several: str) -> list[str]:
        """A free name for each word: `single` where there is only one."""
        found = []
        for word in words:
            name = single if len(words) == 1 else several.format(word)
            while name in self._taken:
                name += "_"
            self._taken.add(name)
            found.append(name)
        return found

    def _free(self, name: str) -> str:
        return self._names([name], name, name)[0]

    # --- statements

    def _only_clears(self, block: ast.If) -> bool:
        """Whether nothing is left of an `if` when gradients need not be cleared."""
        zeros = [zero.event.statement for zero in self._training.zeros]
        return is_plain(block.test) and not block.orelse and all(one in zeros for one in block.body)

    def _delete_clearing(self, number: int) -> None:
        """Leave out a line that clears gradients. What is said above it is said of those that are taken right below."""
        layout = self._layout
        layout.delete(number)
        lasts = [layout.last_of(one.statements[-1]) for one in self._training.backwards if one.branch is None]
        if number + 1 in lasts and layout.touches(number + 1):
            self._said[number + 1] = layout.take_comments(number)

    def _growing(self, change: ast.AugAssign) -> Line:
        """`norms.append(norm)` for `norms += [norm]`."""
        assert isinstance(change.target, ast.Name)
        match change.value:
            case ast.List(elts=[element]) if not isinstance(element, ast.Starred):
                return (f"{change.target.id}.append(", self._span(element), ")")
        return (f"{change.target.id}.extend(", self._span(change.value), ")")

    def _write_function(self, backward: Backward, name: str) -> None:
        layout = self._layout
        first = self._line_of(backward.statements[0])
        last = layout.last_of(backward.statements[-1])
        depth = layout.depth(first)
        loss = backward.event.loss
        assert loss is not None
        handed_in = ", ".join(sorted(backward.handed_in))
        if not layout.opens_a_block(first):
            layout.insert_before(first, depth, ())
        layout.insert_before(first, depth, (f"def {name}({handed_in}):",))
        layout.indent(first, last)
        for change in backward.grown:
            layout.replace(self._line_of(change), self._growing(change))
        loss_name = self._loss_name(backward)
        out = [loss_name, *backward.handed_out]
        if backward.handed_out and not backward.tensors.intersection(backward.handed_out):
            # With has_aux a tensor, tuple, list or dictionary must be among what is handed out besides the loss.
            out.append(loss_name)
        returned: list[Line] = [(f"return {', '.join(out)}",)]
        if not isinstance(loss, ast.Name):
            value: Line = (self._span(loss),)
            if loss.end_lineno != loss.lineno:
                value = ("(", *value, ")")
            returned = [("return ", *value)] if len(out) == 1 else [(f"{loss_name} = ", *value), *returned]
        taking = self._taking_gradients(backward, name, handed_in, out)
        if backward.branch is None:
            # The line of backward() becomes the end of the function; what comes behind it stands below.
            layout.replace(last, *returned)
            said = (*self._said.get(last, ()), *layout.take_comments(last))
            layout.insert_after(last, depth, (), *said, *taking)
        else:
            branch = self._line_of(backward.branch)
            layout.insert_after(last, depth + 1, *returned, like=first)
            layout.insert_before(branch, depth, ())
            layout.replace(self._line_of(backward.event.statement), *taking)
            self._write_other_branch(backward.branch, f"{_values(out)} = {name}({handed_in})")

    def _write_other_branch(self, branch: ast.If, call: str) -> None:
        """Write what is done in the passes that take no gradients: the call of the function."""
        layout = self._layout
        if branch.orelse:
            first = self._line_of(branch.orelse[0])
            layout.insert_before(first, layout.depth(first), (call,))
        else:
            header, last = self._line_of(branch), layout.last_of(branch)
            depth = layout.depth(header)
            layout.insert_after(last, depth, ("else:",), like=header)
            layout.insert_after(last, depth + 1, (call,), like=header)

    def _loss_name(self, backward: Backward) -> str:
        """The name of a loss; one that has none gets one where something else is handed out besides."""
        loss = backward.event.loss
        if isinstance(loss, ast.Name):
            return loss.id
        return self._free("loss") if backward.handed_out else "_"

    def _taking_gradients(
        self, backward: Backward, name: str, handed_in: str, out: Sequence[str]
    ) -> Iterator[Line]:
        gradients = self._gradients[id(backward)]
        grad_fn = self._free(name.replace("forward", "grad_fn", 1))
        options = ", has_aux=True" if len(out) > 1 else ""
        value = f"({_values(out)})" if options else _values(out)
        yield (
            f"{grad_fn} = ",
            mindspore_name("mindspore.value_and_grad"),
            f"({name}, None, {_weights(backward.optimizers)}{options})",
        )
        yield (f"{value}, {gradients} = {grad_fn}({handed_in})",)
        if self._training.accumulates:
            total = self._total
            yield (
                f"{total} = {gradients} if {total} is None else [sum(parts) for parts in zip({total}, {gradients})]",
            )

    def _write_step(self, step: OptimizerStep) -> None:
        optimizer = step.event.owner
        number = self._line_of(step.event.statement)
        if self._training.accumulates:
            for clip in step.clips:
                self._write_clip(clip, self._total, self._total)
            self._layout.replace(number, self._applying(optimizer, self._total))
            return
        gradients = [self._of_optimizer(backward, optimizer) for backward in step.backwards]
        new: list[Line] = []
        name = gradients[0]
        if len(gradients) > 1:
            name = self._free(f"{_identifier(optimizer)}_grads")
            total = f"{name} = [sum(parts) for parts in zip({', '.join(gradients)})]"
            if step.clips:
                behind = self._line_of(step.backwards[-1].event.statement)
                # That line went into a function; what is behind it did not.
                self._layout.insert_after(behind, self._layout.depth(behind) - 1, (total,))
            else:
                new.append((total,))
        for clip in step.clips:
            self._write_clip(clip, name, name)
        self._layout.replace(number, *new, self._applying(optimizer, name))

    def _applying(self, optimizer: str, gradients: str) -> Line:
        if self._stepping is not None:
            return self._stepping, f"({optimizer}, {gradients})"
        return (f"{optimizer}({gradients})",)

    def _of_optimizer(self, backward: Backward, optimizer: str) -> str:
        """The gradients of one backward() for one of the optimizers that share it."""
        name = self._gradients[id(backward)]
        if len(backward.optimizers) == 1:
            return name
        before = backward.optimizers[: backward.optimizers.index(optimizer)]
        start = " + ".join(f"len({one}.parameters)" for one in before)
        if optimizer == backward.optimizers[-1]:
            return f"{name}[{start}:]"
        own = f"len({optimizer}.parameters)"
        return f"{name}[{start}:{start} + {own}]" if start else f"{name}[:{own}]"

    def _write_clip(self, clip: Event, clipped: str, gradients: str) -> None:
        function = clip_function(self._recogniser.api(clip.call.func))
        assert clip.limit is not None
        limit = self._span(clip.limit)
        bounds: Line = (limit,) if function == "clip_by_norm" else ("-", limit, ", ", limit)
        clipping: Line = (
            f"{clipped} = ",
            mindspore_name(f"mindspore.ops.{function}"),
            f"({gradients}, ",
            *bounds,
            ")",
        )
        new = [clipping]
        is_used = not (isinstance(clip.statement, ast.Expr) and clip.statement.value is clip.call)
        if is_used:  # torch returns the norm as it was before
            squares = f"(sum((grad * grad).sum() for grad in {gradients}))"
            statement, call = span_of(clip.statement, self._layout.index), self._span(clip.call)
            norm: Line = (
                *_between(statement.start, call.start),
                mindspore_name("mindspore.ops.sqrt"),
                squares,
                *_between(call.end, statement.end),
            )
            new = [norm, clipping]
        self._layout.replace(self._line_of(clip.statement), *new)


def _between(start: Position, end: Position) -> Line:
    """The text from one place to another, as it stands."""
    return (Span(start.line, start.column, end.line, end.column),) if start < end else ()


def _values(out: Sequence[str]) -> str:
    """The targets for what a function returns; what it returns twice is taken once."""
    return ", ".join([*out[:-1], "_"] if len(set(out)) < len(out) else out)


def _weights(optimizers: Sequence[str]) -> str:
    if len(optimizers) == 1:
        return f"{optimizers[0]}.parameters"
    return "(" + ", ".join(f"*{one}.parameters" for one in optimizers) + ")"


def _word(backward: Backward) -> str:
    loss = backward.event.loss
    return loss.id if isinstance(loss, ast.Name) else "loss"


def _identifier(source: str) -> str:
    """The last name in an expression such as `self.optimizer` or `optimizers['D']`."""
    words = re.findall(r"[A-Za-z_]\w*", source)
    return words[-1] if words else "all"
