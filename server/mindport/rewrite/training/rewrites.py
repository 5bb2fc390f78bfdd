"""The rewrites of all training steps of a file, and the reasons why others are left alone."""

from __future__ import annotations

import ast
import bisect
import functools
import itertools
import logging
import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from mindport.model.language import later, translated
from mindport.model.span import Span
from mindport.model.target import Device, Mode, Target
from mindport.model.verdict import Applicability
from mindport.registry.torch import torch_facts
from mindport.rewrite.defined_helpers import own_code
from mindport.rewrite.pieces import HelperName, Rewrite
from mindport.rewrite.spans import span_of
from mindport.rewrite.training.branches import leave_switches_out
from mindport.rewrite.training.callers import arguments_without_graph
from mindport.rewrite.training.changed_weights import changed_weights
from mindport.rewrite.training.data_only import DataOnly
from mindport.rewrite.training.events import Recogniser, Unclear
from mindport.rewrite.training.flow import every_node, forget, written
from mindport.rewrite.training.graphs_of_callers import find_graphs
from mindport.rewrite.training.layout import Layout, LogicalLine, logical_lines
from mindport.rewrite.training.penalty import PenaltyWriter, find_penalties
from mindport.rewrite.training.plain_tensors import refuse_plain_tensors
from mindport.rewrite.training.precision import open_autocast_blocks, scalers, scaling_statements
from mindport.rewrite.training.recorded import is_recordable, recorded_calls
from mindport.rewrite.training.recorded_writes import lies_in_memory, written_elements
from mindport.rewrite.training.step_parts import Scope
from mindport.rewrite.training.steps import find_training
from mindport.rewrite.training.write import StepWriter
from mindport.rewrite.training.written_views import may_write_views
from mindport.source import trees
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.usage.api_use import FileUsage, StepSurroundings

_LOG = logging.getLogger(__name__)

_WORDS = ("backward(", ".step(", "grad(", "autocast(", "parameters()")
# What the statements of a training step call: methods by their names, functions by those of torch.
_METHODS = re.compile(r"\.\s*(?:backward|step|zero_grad|unscale_|update)\b")
_FUNCTIONS = (
    "torch.autograd.",
    "torch.autocast",
    "torch.amp.",
    "torch.cuda.amp.",
    "torch.nn.utils.clip_grad",
)
_CHANGES = re.compile(r"[-+*/]=")
_SCALER = "GradScaler"
_TITLE = later("Take the gradients of a function and call the optimizer with them")


class Refusal(msgspec.Struct, frozen=True):
    """A training step that cannot be rewritten, and why; `is_step` where recording the program would do."""

    span: Span
    reason: str
    is_step: bool = False


class TrainingRewrite(msgspec.Struct, frozen=True):
    """The rewrite of the training steps of one function, and the statements that it does away with."""

    rewrite: Rewrite
    statements: tuple[Span, ...]

    def replaces(self, place: Span) -> bool:
        """Whether a torch use is a part of such a statement."""
        return any(one.encloses(place) for one in self.statements)


class TrainingRewrites(msgspec.Struct, frozen=True):
    """What can be written for the training steps of a file."""

    rewrites: tuple[TrainingRewrite, ...] = ()
    refusals: tuple[Refusal, ...] = ()


_WORDS_OF_WRITES = (".data", ".detach()", ".weight[", ".bias[")
_WORDS_OF_RECORDED = (".grad", ".requires_grad", "clip_grad_")


class _Part(msgspec.Struct):
    """One scope while it is rewritten."""

    scope: Scope
    layout: Layout
    recogniser: Recogniser
    taken: frozenset[str]
    target: Target
    stepping: HelperName | None
    is_certain: bool = True
    marks: list[ast.Call] = []  # `requires_grad_()` on inputs that gradients are written for


class StepText:
    """A text whose training steps are looked for, maybe in both ways: read once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = LineIndex(text)

    @functools.cached_property
    def tree(self) -> ast.Module | None:
        """Its tree; None where it does not parse."""
        try:
            return parse_tree(self.text)
        except SYNTAX_ERRORS:
            return None

    @functools.cached_property
    def numbered(self) -> tuple[LogicalLine, ...]:
        """Its logical lines."""
        return logical_lines(self.lines)


def training_rewrites(
    text: str | StepText, usage: FileUsage, target: Target, *, recorded: bool = False
) -> TrainingRewrites:
    """The training steps of a file, one rewrite for each function that has some; where the program is `recorded`, one
    for each call that has to be written differently then."""
    try:
        return _rewrites(StepText(text) if isinstance(text, str) else text, usage, target, recorded)
    except Exception:  # noqa: BLE001  one step that nobody thought of must not keep the rest of a file from being fixed
        _LOG.exception("reading the training steps failed")
        return TrainingRewrites()
    finally:
        forget()


def _rewrites(source: StepText, usage: FileUsage, target: Target, recorded: bool) -> TrainingRewrites:
    text, lines = source.text, source.lines
    words = (*_WORDS, *_WORDS_OF_WRITES, *(_WORDS_OF_RECORDED if recorded else ()))
    if not any(word in text for word in words) and not may_write_views(text):
        return TrainingRewrites()
    recogniser = Recogniser(usage.uses, lines, usage.own_methods)
    signs = _lines_with_signs(usage, lines)
    has_parts = bool(signs) or _SCALER in text
    tree = source.tree if has_parts or recorded or _may_write(text, recogniser) else None
    if tree is None:
        return TrainingRewrites()
    refusals: list[Refusal] = []
    parts: list[tuple[_Part, list[ast.stmt]]] = []
    try:
        if not recorded:
            refuse_plain_tensors(tree, recogniser)
    except Unclear as unclear:
        assert isinstance(unclear.node, ast.Call)
        refusals.append(Refusal(span_of(unclear.node, lines), unclear.reason, True))
    for part in _parts_with(signs, source, tree, usage, recogniser, target) if has_parts else ():
        gone: list[ast.stmt] = []
        for write in (_write_precision, _drop_scaling if recorded else _write_steps, _write_penalties):
            try:
                gone += write(part)
            except Unclear as unclear:
                assert isinstance(unclear.node, (ast.expr, ast.stmt))
                can_be_recorded = write is _write_steps or (
                    isinstance(unclear.node, ast.Call) and is_recordable(unclear.node)
                )
                if not (recorded and write is _write_penalties and can_be_recorded):
                    refusals.append(Refusal(span_of(unclear.node, lines), unclear.reason, can_be_recorded))
        parts.append((part, gone))
    every = [statement for _, gone in parts for statement in gone]
    rewrites = [TrainingRewrite(one, ()) for one in changed_weights(tree, recogniser, lines)]
    for part, gone in parts:
        layout = part.layout
        if _SCALER in text and not refusals:
            for scaler, instead in scalers(part.scope, tree, every, recogniser):
                if instead:
                    layout.replace(layout.at(scaler), (instead,))
                else:
                    layout.delete(layout.at(scaler))
                gone.append(scaler)
        spans = [*(span_of(one, lines) for one in gone), *(span_of(one, lines) for one in part.marks)]
        # Steps that are written as functions were run on CPU alone.
        is_safe = part.is_certain and target.device is Device.CPU
        applicability = Applicability.SAFE if is_safe else Applicability.UNSAFE
        for rewrite in layout.rewrites(applicability, translated(_TITLE)):
            inside = tuple(one for one in spans if rewrite.span.encloses(one))
            rewrites.append(TrainingRewrite(rewrite, inside))
    own = own_code(tree)
    is_eager = target.mode is Mode.PYNATIVE
    writes = written_elements(own, recogniser, lines, recorded=recorded, eager=is_eager)
    if recorded:
        is_cpu = target.device is Device.CPU
        calls = recorded_calls(own, recogniser, lines, is_without_half_precision=is_cpu)
        writes = itertools.chain(calls, writes)
    written = [one.rewrite for one in rewrites]
    for one in writes:
        if not any(_writes_over(other, one.span) for other in written):
            rewrites.append(TrainingRewrite(one, (one.span,)))
    return TrainingRewrites(tuple(rewrites), tuple(refusals))


def _lines_with_signs(usage: FileUsage, lines: LineIndex) -> list[int]:
    """The lines that may belong to a training step."""
    methods = [lines.position(found.end()).line for found in _METHODS.finditer(lines.text)]
    return sorted(methods + [use.span.line for use in usage.uses if use.api.startswith(_FUNCTIONS)])


def _may_write(text: str, recogniser: Recogniser) -> bool:
    """Whether a file without training steps may write into memory, or give an optimizer what it cannot take."""
    if may_write_views(text) or (_CHANGES.search(text) and ("param" in text or "grad" in text)):
        return True
    is_optimizer = torch_facts().is_optimizer_class
    return recogniser.uses_any(lambda api: lies_in_memory(api) or is_optimizer(api))


def _parts_with(
    signs: Sequence[int],
    source: StepText,
    tree: ast.Module,
    usage: FileUsage,
    recogniser: Recogniser,
    target: Target,
) -> Iterator[_Part]:
    """The scopes that may have a training step."""
    recogniser.tensor_types = frozenset(_tensor_types(tree))
    recogniser.constants = _constants(tree, recogniser)
    recogniser.gradient_readers = usage.beside_steps.gradient_readers
    recogniser.value_keepers = usage.beside_steps.value_keepers
    recogniser.kept_readers = usage.beside_steps.kept_readers
    recogniser.stepped_networks = usage.beside_steps.stepped_networks
    recogniser.changed_elsewhere = frozenset(_changed_elsewhere(tree))
    taken = {node.id for node in every_node(tree) if isinstance(node, ast.Name)}
    taken |= {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    scopes = list(scopes_of(tree))
    recogniser.functions = frozenset(scope.name for scope in scopes if isinstance(scope, ast.FunctionDef))
    recogniser.without_graph = arguments_without_graph(tree, scopes, recogniser)
    find_graphs(tree, scopes, recogniser, usage.beside_steps.graph_arguments)
    for scope in _with_signs(scopes, signs):
        layout = Layout(source.lines, source.numbered)
        yield _Part(scope, layout, recogniser, frozenset(taken), target, _stepping(usage.beside_steps))


def _stepping(beside: StepSurroundings) -> HelperName | None:
    """The function that calls an optimizer where the optimizer alone does not do what torch's does."""
    if beside.freezes:
        return HelperName("torch_step_unfrozen")
    return HelperName("torch_step") if beside.replaces_weights else None


def _with_signs(scopes: Iterable[Scope], signs: Sequence[int]) -> Iterator[Scope]:
    """The scopes with a line that may belong to a training step: most functions of a file have none."""
    for scope in scopes:
        if isinstance(scope, ast.Module):
            yield scope
            continue
        at = bisect.bisect_left(signs, scope.lineno)
        if at < len(signs) and signs[at] <= (scope.end_lineno or scope.lineno):
            yield scope


def _writes_over(rewrite: Rewrite, span: Span) -> bool:
    """Whether a rewrite leaves nothing of what stands at `span`."""
    return rewrite.span.encloses(span) and not any(hole.encloses(span) for hole in rewrite.holes)


def _write_precision(part: _Part) -> list[ast.stmt]:
    """Open the blocks of mixed precision on a device without it."""
    if part.target.device is not Device.CPU:
        return []
    return list(open_autocast_blocks(part.scope, part.layout, part.recogniser))


def _write_steps(part: _Part) -> list[ast.stmt]:
    """Write the training steps of a scope; gives the statements that go. Raises Unclear."""
    training = find_training(part.scope, part.recogniser)
    if training is None:
        return []
    if part.target.device is not Device.CPU and any(one.event.scaler for one in training.backwards):
        raise Unclear("the loss is scaled for half precision", training.backwards[0].event.statement)
    moved = [one for backward in training.backwards for one in backward.statements]
    gone = [event.statement for event in training.events]
    _refuse_shared_lines([*moved, *gone], part.layout)
    gone += leave_switches_out(training.backwards, part.layout, part.recogniser)
    StepWriter(training, part.layout, part.recogniser, part.taken, stepping=part.stepping).write()
    part.is_certain = training.is_certain
    return gone


def _drop_scaling(part: _Part) -> list[ast.stmt]:
    """Leave out what a scaler of losses does by itself, on a device without half precision; gives these statements."""
    if part.target.device is not Device.CPU:
        return []
    gone = list(scaling_statements(part.scope, part.recogniser))
    _refuse_shared_lines(gone, part.layout)
    for statement in gone:
        part.layout.delete(part.layout.at(statement))
    return gone


def _write_penalties(part: _Part) -> list[ast.stmt]:
    """Write the gradients for inputs that a scope takes; gives the statements that change. Raises Unclear."""
    penalties = find_penalties(part.scope, part.recogniser)
    changed = [one for penalty in penalties for one in penalty.statements]
    _refuse_shared_lines(changed, part.layout)
    for penalty in penalties:
        PenaltyWriter(part.layout).write(penalty)
    part.marks += [mark for penalty in penalties for mark in penalty.marks]
    return changed


def _refuse_shared_lines(statements: Sequence[ast.stmt], layout: Layout) -> None:
    for statement in statements:
        if not layout.stands_alone(statement):
            raise Unclear("several statements share a line", statement)


def _tensor_types(tree: ast.Module) -> Iterator[str]:
    """Names that stand for one of several tensor types, by a condition."""
    for node in every_node(tree):
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
    for node in every_node(tree):
        if isinstance(node, ast.Global):
            lost.update(node.names)
    return frozenset(data.names - lost)


def _changed_elsewhere(tree: ast.Module) -> Iterator[str]:
    """Names that functions share, and attributes that anything but a constructor sets."""
    constructors = {
        id(node)
        for function in every_node(tree)
        if isinstance(function, ast.FunctionDef) and function.name == "__init__"
        for node in trees.every_node(function)
    }
    for node in every_node(tree):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield from () if id(node) in constructors else (node.attr,)


def scopes_of(tree: ast.Module) -> Iterator[Scope]:
    """The module and every function in it."""
    yield tree
    for node in every_node(tree):
        if isinstance(node, ast.FunctionDef):
            yield node
