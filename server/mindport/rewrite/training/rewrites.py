"""The rewrites of all training steps of a file, and the reasons why others are left alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from mindport.model.span import Span
from mindport.model.target import Target
from mindport.rewrite.pieces import Rewrite
from mindport.rewrite.training.events import Recogniser, Unclear
from mindport.rewrite.training.steps import Scope, find_training
from mindport.rewrite.training.write import Writer
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.usage.api_use import FileUsage


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
    if ".backward(" not in text and ".step(" not in text:
        return TrainingRewrites()
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return TrainingRewrites()
    lines = LineIndex(text)
    recogniser = Recogniser(usage.uses, lines, _tensor_types(tree))
    taken = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    taken |= {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    rewrites, refusals = [], []
    for scope in _scopes(tree):
        try:
            training = find_training(scope, recogniser)
            if training is None:
                continue
            written = Writer(training, lines, recogniser, taken).rewrite()
            if written is None:
                raise Unclear("several statements share a line", training.backwards[0].event.statement)
            gone = [event.statement for event in training.events]
            rewrites.append(TrainingRewrite(written, tuple(_span(one, lines) for one in gone)))
        except Unclear as unclear:
            refusals.append(Refusal(_span(unclear.node, lines), unclear.reason))
    return TrainingRewrites(tuple(rewrites), tuple(refusals))


def _tensor_types(tree: ast.Module) -> Iterator[str]:
    """Names that stand for one of several tensor types, by a condition."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.IfExp):
            names = [ast.unparse(one) for one in (node.value.body, node.value.orelse)]
            if all(name.startswith("torch.") and name.endswith("Tensor") for name in names):
                yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _scopes(tree: ast.Module) -> Iterator[Scope]:
    yield tree
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node


def _span(node: ast.AST, lines: LineIndex) -> Span:
    assert isinstance(node, (ast.expr, ast.stmt))
    end_line = node.end_lineno or node.lineno
    return Span(
        node.lineno,
        lines.column_of_byte(node.lineno, node.col_offset),
        end_line,
        lines.column_of_byte(end_line, node.end_col_offset or 0),
    )
