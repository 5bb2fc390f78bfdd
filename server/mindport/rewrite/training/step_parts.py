"""What the training steps of a scope are made of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from mindport.rewrite.training.events import Event
from mindport.rewrite.training.flow import Names, StatementPlace, own_nodes

Scope = ast.Module | ast.FunctionDef


class Placed(msgspec.Struct):
    """An event and where its statement stands."""

    event: Event
    place: StatementPlace
    at: int


class Backward(msgspec.Struct):
    """One `backward()`: the statements `start` to `at` of `place` become a function, whose gradients for the
    parameters of `optimizers` are taken. Where some passes only take them, `at` is the `branch` that does."""

    event: Event
    place: StatementPlace
    at: int
    start: int
    needed: frozenset[int]  # the statements of `place` that the loss is computed by
    arguments: Names  # of the function around it, which the loss depends on and which may hold anything
    optimizers: list[str] = []
    handed_in: Names = frozenset()
    handed_out: tuple[str, ...] = ()
    tensors: Names = frozenset()  # names that surely hold tensors
    branch: ast.If | None = None
    grown: tuple[ast.AugAssign, ...] = ()  # lists from outside that get more elements: `norms += [norm]`

    @property
    def end(self) -> int:
        """The statement of `place` behind the function."""
        return self.at + 1 if self.branch is None else self.at

    @property
    def statements(self) -> list[ast.stmt]:
        """What becomes the function."""
        return self.place.body[self.start : self.end]


class OptimizerStep(msgspec.Struct):
    """One `step()` with the `backward()` calls whose gradients it takes, and the limits put on these in between."""

    event: Event
    place: StatementPlace
    at: int
    backwards: list[Backward]
    clips: list[Event] = []


class Training(msgspec.Struct):
    """All training steps of one scope, and every statement that goes with them.

    Where gradients are added up over several passes, `first` is the statement before which there are none yet."""

    scope: Scope
    backwards: list[Backward]
    steps: list[OptimizerStep]
    zeros: list[Placed]
    dropped: list[Event]
    """Statements about the scale of a loss, which is not scaled any more."""
    accumulates: bool = False
    first: ast.stmt | None = None

    @property
    def is_certain(self) -> bool:
        """Whether no loss depends on an argument of the function that may have been computed with parameters."""
        return not any(backward.arguments for backward in self.backwards)

    @property
    def events(self) -> list[Event]:
        """All statements that become something else."""
        found = [*(one.event for one in self.zeros), *self.dropped, *(one.event for one in self.backwards)]
        for step in self.steps:
            found += [step.event, *step.clips]
        return found


def own_nodes_of(scope: Scope) -> Iterator[ast.AST]:
    """What is in a scope, without the scopes in it."""
    for statement in scope.body:
        yield from own_nodes(statement)


def loop_of(place: StatementPlace) -> StatementPlace | None:
    """The body of the innermost loop around a statement."""
    for one in (place, *place.ancestors()):
        if one.is_loop_body:
            return one
    return None


def arguments_of(scope: ast.FunctionDef) -> set[str]:
    """The names of the parameters of a function, without those that collect what is left."""
    every = (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs)
    return {one.arg for one in every}
