"""Training steps that stay as they stand: `loss.backward()` becomes `torch_backward(loss)`, for which the program is
recorded from one such call to the next (`mappings/_helpers/TorchRecording.py`), and optimizers keep `step()` and
`zero_grad()`. It serves where the loss, `backward()` and `step()` cannot be followed through one function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from mindport.model.language import later, translated
from mindport.model.span import Span
from mindport.model.verdict import Applicability
from mindport.registry.torch import torch_facts
from mindport.rewrite.pieces import HelperName, ImportedName, Piece, Rewrite, mindspore_name
from mindport.rewrite.spans import span_of
from mindport.rewrite.training.events import Recogniser, names_optimizer, names_scaler
from mindport.rewrite.training.flow import every_node
from mindport.rewrite.training.limits_looked_up import LIMITS, limits_written_out
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_expression
from mindport.usage.api_use import ApiUse, FileUsage, Form
from mindport.usage.gradient_flags import gradient_flag
from mindport.usage.project_signs import FLAGGED

_TITLE = later("Record the program and take the gradients at backward()")

_OPTIMIZERS = "torch.optim."
_BASE = "torch.optim.Optimizer."
_RECORD_THEMSELVES = (HelperName("TorchLBFGS"), HelperName("TorchOptimizer"))
_ASKED = "torch.Tensor.requires_grad_"
_FLAG = "torch.Tensor.requires_grad"
_CLEARED = "torch.nn.Module.zero_grad"
_LOSSES = ("loss", "losses")
_GRAD = "torch.autograd.grad"
_BACKWARD_OF_ALL = "torch.autograd.backward"
_BATCHED = "is_grads_batched"
_POSITIONS = 6  # of the parameters before it
_CREATE_GRAPH = 4
_CREATE_GRAPH_OF_ALL = 3
_TORCH = ("torch", "th")


def is_written_by_recording(use: ApiUse) -> bool:
    """Whether the rewrite of a use that serves elsewhere is wrong in a recorded program: gradients of a network, which
    nobody keeps elsewhere, are added up there until they are cleared, and any tensor may ask for its gradient."""
    return use.api in (_CLEARED, _ASKED)


def recorded_calls(
    tree: ast.Module, recogniser: Recogniser, lines: LineIndex, *, is_without_half_precision: bool
) -> Iterator[Rewrite]:
    """The calls of a file that a recorded training step writes differently, on a device with half precision or not."""
    for node in every_node(tree):
        if isinstance(node, ast.Compare):
            yield from _tested_gradient(node, recogniser, lines)
        if isinstance(node, ast.Assign):
            yield from _flagged(node, recogniser, lines)
        if not isinstance(node, ast.Call):
            continue
        api = recogniser.api(node.func)
        if limits := limits_written_out(node.func, recogniser.use(node.func), lines):
            yield _rewrite(span_of(node.func, lines), limits)
        elif api in LIMITS:
            yield _rewrite(span_of(node.func, lines), (HelperName(LIMITS[api]),))
        elif api == _GRAD and is_recordable(node):
            yield _rewrite(span_of(node.func, lines), (HelperName("torch_grad"),))
        elif api == _BACKWARD_OF_ALL and _is_recordable_backward(node):
            yield _rewrite(span_of(node.func, lines), (HelperName("torch_backward_of_all"),))
        elif isinstance(node.func, ast.Attribute):
            owner = node.func.value
            match node.func.attr:
                case "backward" if (
                    api in ("torch.Tensor.backward", "")
                    and not recogniser.is_own_method(node.func)
                    and not _takes_loss(node)
                ):
                    yield from _backward(node, owner, lines, is_without_half_precision)
                case "requires_grad_" if api == _ASKED:
                    yield from _marked(node, owner, lines)
                case "zero_grad" if api == _CLEARED and not names_optimizer(ast.unparse(owner)):
                    pieces = (HelperName("torch_zero_grad"), "(", span_of(owner, lines), ")")
                    yield _rewrite(span_of(node, lines), pieces)
                case "step" if (
                    is_without_half_precision and names_scaler(ast.unparse(owner)) and len(node.args) == 1
                ):
                    yield _rewrite(span_of(node, lines), (span_of(node.args[0], lines), ".step()"))


def _takes_loss(node: ast.Call) -> bool:
    """Whether a call of `backward` hands a loss to what is none itself, `accelerator.backward(loss)`: a tensor is given
    a gradient."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner), args=[ast.Name() | ast.Attribute() as given]):
            return _last_name(given).endswith(_LOSSES) and not _last_name(owner).endswith(_LOSSES)
    return False


def _last_name(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2].lower()


def _tested_gradient(node: ast.Compare, recogniser: Recogniser, lines: LineIndex) -> Iterator[Rewrite]:
    """A test whether there is a gradient, `p.grad is not None`: a parameter of no optimizer has no such attribute."""
    match node:
        case ast.Compare(
            left=ast.Attribute(value=owner, attr="grad") as gradient,
            ops=[ast.Is() | ast.IsNot()],
            comparators=[ast.Constant(value=None)],
        ) if recogniser.api(gradient) in ("torch.Tensor.grad", ""):
            pieces = ("getattr(", span_of(owner, lines), ', "grad", None)')
            yield _rewrite(span_of(gradient, lines), pieces)


def _flagged(node: ast.Assign, recogniser: Recogniser, lines: LineIndex) -> Iterator[Rewrite]:
    """`x.requires_grad = True` of a tensor, which is a call of `requires_grad_`. Of a Parameter it stays."""
    match node.targets:
        case [ast.Attribute(value=owner, attr="requires_grad") as target]:
            use = recogniser.use(target)
            if use is None or use.api != _FLAG or "parameter" in use.signs:
                return
            pieces: list[Piece] = [HelperName("torch_require_grad"), "(", span_of(owner, lines)]
            if not _is_true(node.value):
                pieces += [", ", span_of(node.value, lines)]
            yield _rewrite(span_of(node, lines), (*pieces, ")"))


def is_recordable(node: ast.Call) -> bool:
    """Whether a call of `autograd.grad` asks for nothing but gradients of sums, and not surely for those that can be
    differentiated again: in PyNative mode MindSpore cuts some of those off without a word. Where only the run tells, it
    raises."""
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    keeps = node.args[_CREATE_GRAPH] if len(node.args) > _CREATE_GRAPH else named.get("create_graph")
    return not _is_true(keeps) and len(node.args) <= _POSITIONS and not named.keys() & {None, _BATCHED}


def _is_recordable_backward(node: ast.Call) -> bool:
    """Whether a call of `autograd.backward` asks for gradients of all leaves that are not differentiated again."""
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    keeps = named.get("create_graph") or dict(enumerate(node.args)).get(_CREATE_GRAPH_OF_ALL)
    is_known = named.keys() <= {"tensors", "grad_tensors", "retain_graph", "create_graph"}
    return is_known and not _is_true(keeps) and len(node.args) <= _CREATE_GRAPH_OF_ALL + 1


def _marked(node: ast.Call, owner: ast.expr, lines: LineIndex) -> Iterator[Rewrite]:
    """A call of `requires_grad_` on a tensor."""
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    if len(values) > 1:
        return
    pieces: list[Piece] = [HelperName("torch_require_grad"), "(", span_of(owner, lines)]
    pieces += [part for value in values for part in (", ", span_of(value, lines))]
    yield _rewrite(span_of(node, lines), (*pieces, ")"))


def recorded_leaf(rewrite: Rewrite, use: ApiUse) -> Rewrite:
    """The rewrite of a call that makes a tensor, which is marked for gradients where the call asks for that by name, or
    hands on options among which the project has such a flag."""
    if use.call is None:
        return rewrite
    if FLAGGED in use.signs and any(one.star == 2 for one in use.call.arguments):
        return _made_leaf(rewrite, use.api)
    if rewrite.span != use.call.span:
        return rewrite
    asked = gradient_flag(use.api, use.call)
    if asked is None or (asked.is_literal and asked.value is not True):
        return rewrite
    flag: tuple[Piece, ...] = () if asked.is_literal else (", ", asked.span)
    pieces = (HelperName("torch_require_grad"), "(", *rewrite.pieces, *flag, ")")
    return msgspec.structs.replace(rewrite, pieces=pieces, applicability=Applicability.UNSAFE)


def recorded_parameter(rewrite: Rewrite, use: ApiUse, lines: LineIndex) -> Rewrite:
    """The rewrite of a call that makes a parameter, of a value that is marked for gradients itself: MindSpore loads no
    values into a parameter that is made of such a tensor, and finds no gradient for one that was computed from it."""
    marked = [one.span for one in use.call.arguments if _is_marked(lines.slice(one.span))] if use.call else []
    pieces: list[Piece] = []
    for piece in rewrite.pieces:
        span = next((one for one in marked if isinstance(piece, Span) and piece.encloses(one)), None)
        if span is None or not isinstance(piece, Span):
            pieces.append(piece)
            continue
        cut_off = (mindspore_name("mindspore.ops.stop_gradient"), "(", span, ")")
        pieces.append(Span(piece.line, piece.column, span.line, span.column))
        pieces += cut_off
        pieces.append(Span(span.end_line, span.end_column, piece.end_line, piece.end_column))
    return msgspec.structs.replace(rewrite, pieces=tuple(pieces))


def _is_marked(text: str) -> bool:
    """Whether an expression is a call of `requires_grad_`, or of what is no function of torch with a flag of that
    name: in calls of torch's a parameter needs none."""
    try:
        node = parse_expression(text)
    except SYNTAX_ERRORS:
        return False
    match node:
        case ast.Call(func=ast.Attribute(attr="requires_grad_")):
            return True
        case ast.Call(func=function, keywords=named) if ast.unparse(function).partition(".")[0] not in _TORCH:
            flags = [one.value for one in named if one.arg == "requires_grad"]
            return any(not isinstance(flag, ast.Constant) or _is_true(flag) for flag in flags)
    return False


def _made_leaf(rewrite: Rewrite, api: str) -> Rewrite:
    maker, *rest = rewrite.pieces
    names = {one.name for signature in torch_facts().signatures(api) for one in signature.parameters}
    if not isinstance(maker, HelperName) or "requires_grad" not in names or api.endswith("Parameter"):
        return rewrite
    pieces = (HelperName("torch_made_leaf"), "(", maker, ")", *rest)
    return msgspec.structs.replace(rewrite, pieces=pieces, applicability=Applicability.UNSAFE)


def recorded_optimizer(rewrite: Rewrite, *, is_base: bool) -> Rewrite:
    """The rewrite of a class of optimizers that is called or handed on, or the base of a class of the project's own, so
    that their parameters are recorded."""
    kind, *rest = rewrite.pieces
    if not isinstance(kind, (ImportedName, HelperName)) or kind in _RECORD_THEMSELVES:
        return rewrite
    recorded = "torch_recorded_base" if is_base else "torch_recorded"
    pieces = (HelperName(recorded), "(", kind, ")", *rest)
    return msgspec.structs.replace(rewrite, pieces=pieces, applicability=Applicability.UNSAFE)


def met_by_recording(usage: FileUsage, lines: LineIndex) -> frozenset[int]:
    """The places in FileUsage.uses of what stays as it is written, because recorded optimizers and their parameters
    have it, too."""
    return frozenset(index for index, use in enumerate(usage.uses) if _stays(use, lines))


def _stays(use: ApiUse, lines: LineIndex) -> bool:
    if use.api == "torch.Tensor.grad":
        return True
    if not use.api.startswith(_OPTIMIZERS):
        return False
    if use.api.rpartition(".")[2] in ("step", "zero_grad"):
        return True
    # What an optimizer of the project's own inherits is torch's in its base, `TorchOptimizer`.
    is_own = use.receiver is not None and lines.slice(use.receiver) == "self"
    return use.api.startswith(_BASE) and (use.form is Form.OVERRIDE or is_own)


def _backward(
    node: ast.Call, owner: ast.expr, lines: LineIndex, is_without_half_precision: bool
) -> Iterator[Rewrite]:
    """A call of `backward`, unless it asks for what is not recorded: gradients that can be differentiated again, or
    those of some tensors only."""
    passed = {keyword.arg: keyword.value for keyword in node.keywords}
    create_graph = passed.pop("create_graph", None)
    retain_graph = passed.pop("retain_graph", None)
    gradient = node.args[0] if len(node.args) == 1 else passed.pop("gradient", None)
    if passed or _is_true(create_graph) or len(node.args) > 1:
        return
    loss = owner
    if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute) and owner.func.attr == "scale":
        if len(owner.args) != 1 or owner.keywords or not is_without_half_precision:
            return
        loss = owner.args[0]
    pieces: list[Piece] = [HelperName("torch_backward"), "(", span_of(loss, lines)]
    if gradient is not None and ast.unparse(gradient) != "None":
        pieces += [", ", span_of(gradient, lines)]
    if retain_graph is not None and ast.unparse(retain_graph) not in ("None", "False"):
        pieces += [", retain_graph=", span_of(retain_graph, lines)]
    if create_graph is not None and not isinstance(create_graph, ast.Constant):
        pieces += [", create_graph=", span_of(create_graph, lines)]
    yield _rewrite(span_of(node, lines), (*pieces, ")"))


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and bool(node.value)


def _rewrite(span: Span, pieces: tuple[Piece, ...]) -> Rewrite:
    return Rewrite(span, pieces, Applicability.UNSAFE, translated(_TITLE), "torch.Tensor.backward")
