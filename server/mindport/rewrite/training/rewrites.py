"""The rewrites of all training steps of a file, and the reasons why others are left alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set

import msgspec

from mindport.model.span import Span
from mindport.model.target import Target
from mindport.model.verdict import Applicability
from mindport.rewrite.pieces import Rewrite
from mindport.rewrite.training.data_only import DataOnly
from mindport.rewrite.training.events import Recogniser, Unclear
from mindport.rewrite.training.flow import written
from mindport.rewrite.training.layout import Layout, logical_lines
from mindport.rewrite.training.penalty import PenaltyWriter, find_penalties
from mindport.rewrite.training.spans import span_of
from mindport.rewrite.training.steps import Scope, find_training
from mindport.rewrite.training.write import Writer
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.usage.api_use import FileUsage

_TITLE = "Take the gradients of a function and call the optimizer with them"


class Refusal(msgspec.Struct, frozen=True):
    """A training step that cannot be rewritten, and why."""

    span: Span
    reason: str


class TrainingRewrite(msgspec.Struct, frozen=True):
    """The rewrite of the training steps of one function, and the statements that it does away with."""

    rewrite: Rewrite
    statements: tuple[Span, ...]

    def replaces(self, place: Span) -> bool:
        """Whether a torch use is a part of such a statement."""
        return any(one.start <= place.start and place.end <= one.end for one in self.statements)


class TrainingRewrites(msgspec.Struct, frozen=True):
    """What can be written for the training steps of a file."""

    rewrites: tuple[TrainingRewrite, ...] = ()
    refusals: tuple[Refusal, ...] = ()


def training_rewrites(text: str, usage: FileUsage, target: Target) -> TrainingRewrites:
    """The training steps of a file, one rewrite for each function that has some."""
    if not any(word in text for word in (".backward(", ".step(", "grad(")):
        return TrainingRewrites()
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return TrainingRewrites()
    lines = LineIndex(text)
    recogniser = Recogniser(usage.uses, lines, _tensor_types(tree))
    recogniser.constants = _constants(tree, recogniser)
    taken = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    taken |= {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    numbered = logical_lines(lines)
    rewrites: list[TrainingRewrite] = []
    refusals: list[Refusal] = []
    for scope in _scopes(tree):
        layout = Layout(lines, numbered)
        gone: list[ast.stmt] = []
        for write in (_write_steps, _write_penalties):
            try:
                gone += write(scope, layout, recogniser, taken)
            except Unclear as unclear:
                assert isinstance(unclear.node, (ast.expr, ast.stmt))
                refusals.append(Refusal(span_of(unclear.node, lines), unclear.reason))
        rewrite = layout.rewrite(Applicability.SAFE, _TITLE)
        if rewrite is not None:
            rewrites.append(TrainingRewrite(rewrite, tuple(span_of(one, lines) for one in gone)))
    return TrainingRewrites(tuple(rewrites), tuple(refusals))


def _write_steps(scope: Scope, layout: Layout, recogniser: Recogniser, taken: Set[str]) -> list[ast.stmt]:
    """Write the training steps of a scope; gives the statements that go. Raises Unclear."""
    training = find_training(scope, recogniser)
    if training is None:
        return []
    moved = [one for backward in training.backwards for one in backward.statements]
    gone = [event.statement for event in training.events]
    _refuse_shared_lines([*moved, *gone], layout)
    Writer(training, layout, recogniser, taken).write()
    return gone


def _write_penalties(scope: Scope, layout: Layout, recogniser: Recogniser, taken: Set[str]) -> list[ast.stmt]:
    """Write the gradients for inputs that a scope takes; gives the statements that change. Raises Unclear."""
    del taken
    penalties = find_penalties(scope, recogniser)
    changed = [one for penalty in penalties for one in penalty.statements]
    _refuse_shared_lines(changed, layout)
    for penalty in penalties:
        PenaltyWriter(layout).write(penalty)
    return changed


def _refuse_shared_lines(statements: Sequence[ast.stmt], layout: Layout) -> None:
    for statement in statements:
        if not layout.stands_alone(statement):
            raise Unclear("several statements share a line", statement)


def _tensor_types(tree: ast.Module) -> Iterator[str]:
    """Names that stand for one of several tensor types, by a condition."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.IfExp):
            names = [ast.unparse(one) for one in (node.value.body, node.value.orelse)]
            if all(name.startswith("torch.") and name.endswith("Tensor") for name in names):
                yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _constants(tree: ast.Module, recogniser: Recogniser) -> frozenset[str]:
    """Names that hold data wherever the module binds them."""
    data = DataOnly(recogniser)
    lost: set[str] = set()
    for statement in tree.body:
        data.take(statement)
        lost |= written(statement) - data.names
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            lost.update(node.names)
    return frozenset(data.names - lost)


def _scopes(tree: ast.Module) -> Iterator[Scope]:
    yield tree
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node
