"""Signs of uses that only the whole file shows: who reads a tensor again after it was overwritten."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence, Set

import msgspec

from mindport.model.span import Span
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node
from mindport.source.units import Unit, UnitKind
from mindport.usage.api_use import ApiUse, Argument, Call, Form, Kind
from mindport.usage.counted_axes import COUNTED, signs_by_axes
from mindport.usage.emit import Emitter
from mindport.usage.files import FileState, place_of
from mindport.usage.leading_axes import LEADING, parts_written_with_leading_axes
from mindport.usage.listed_layers import listed_layers
from mindport.usage.optimizer_groups import groups_by_entries
from mindport.usage.reread_inputs import OVERWRITING, reread_inputs
from mindport.usage.scope_storage import DEFINITIONS
from mindport.usage.shared_changes import OF_TENSORS, shared_changes

_GETITEM, _SETITEM = "torch.Tensor.__getitem__", "torch.Tensor.__setitem__"
# A layer that overwrites its input where that is read again.
_REREAD = frozenset({"reread"})
# The base of a class that has a forward in place of the base's, and so knows what the base keeps.
_FORWARD = frozenset({"forward"})
_OF_BATCHES = frozenset(f"torch.nn.BatchNorm{axes}d" for axes in (1, 2, 3))
# What a norm keeps of batches, where the text changes it in place: `bn.running_mean.zero_()`.
_OVERWRITTEN = frozenset({"overwritten"})
_STATISTICS = frozenset(
    f"torch.nn.{norm}.running_{one}"
    for norm in ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "modules.batchnorm._BatchNorm")
    for one in ("mean", "var")
)
_CHANGE = re.compile(r"(\.data)?(\.\w+_\(|\[[^\]\n]*\]\s*[-+*/]?=(?!=))")
# A change by an operator of a tensor that others have, as it is or in another shape.
_SHARED, _VIEWED = frozenset({"shared"}), frozenset({"viewed"})
# The groups of an optimizer of which only entries are read and set.
_ENTRIES = frozenset({"entries"})
_GROUPS = "torch.optim.Optimizer.param_groups"
_LAYERS = "torch.nn"


def with_signs_of_file(state: FileState, emitter: Emitter, uses: list[ApiUse]) -> list[ApiUse]:
    """The uses in a file, those with signs for what the whole file shows of them."""
    if any(map(_may_overwrite, uses)):
        uses = _with_reread_inputs(state.module.units, emitter, uses)
    if any(use.api in COUNTED and use.call is not None for use in uses):
        uses = _with_counted_axes(state.module.units, emitter, uses)
    if any(use.form is Form.BASE_CLASS and use.api in _OF_BATCHES for use in uses):
        uses = _with_own_forward(state.module.units, emitter, uses)
    if any(use.api in _STATISTICS for use in uses):
        uses = [_with(use, _OVERWRITTEN) if _is_overwritten(use, state.index) else use for use in uses]
    if any(use.signs >= OF_TENSORS for use in uses):
        uses = _with_shared_changes(state, emitter, uses)
    if any(map(_lists_layers, uses)):
        uses = _with_listed_layers(state.module.units, emitter, uses)
    if any(use.api == _GROUPS for use in uses):
        uses = _with_groups_by_entries(state.module.units, emitter, uses)
    more = list(_parts_with_leading_axes(state, emitter))
    return sorted([*uses, *more], key=place_of) if more else uses


def _may_overwrite(use: ApiUse) -> bool:
    """Whether a use makes a layer that may be told to overwrite its input."""
    owner, _, name = use.api.rpartition(".")
    return (
        name in OVERWRITING
        and owner == "torch.nn"
        and use.call is not None
        and any(argument.is_literal and argument.value is True for argument in use.call.arguments)
    )


def _with_reread_inputs(units: Sequence[Unit], emitter: Emitter, uses: list[ApiUse]) -> list[ApiUse]:
    # The body of a class is in units of its own.
    units = [unit for unit in units if unit.kind is not UnitKind.CLASS]
    found = reread_inputs(
        (unit.owner if unit.kind is UnitKind.MEMBER else "", unit.statements) for unit in units
    )
    spans = _spans(units, emitter, found)
    return [_with(use, _REREAD) if use.call is not None and use.call.span in spans else use for use in uses]


def _with_counted_axes(units: Sequence[Unit], emitter: Emitter, uses: list[ApiUse]) -> list[ApiUse]:
    # The body of a class is in units of its own.
    units = [unit for unit in units if unit.kind is not UnitKind.CLASS]
    spans: dict[ast.AST, Span] = {}
    for unit in units:
        emitter.shift = unit.shift
        for node in (node for statement in unit.statements for node in every_node(statement)):
            if isinstance(node, ast.Call | ast.Name | ast.Attribute):
                spans[node] = emitter.span(node)
    calls = {use.call.span: use.api for use in uses if use.call is not None}
    names = {use.span: use.api for use in uses}
    found = signs_by_axes(
        ((unit.owner if unit.kind is UnitKind.MEMBER else "", unit.statements) for unit in units),
        lambda node: (calls if isinstance(node, ast.Call) else names).get(spans[node], ""),
    )
    signs = {spans[node]: sign for node, sign in found.items()}
    return [
        _with(use, signs[use.call.span]) if use.call is not None and use.call.span in signs else use
        for use in uses
    ]


def _spans(units: Sequence[Unit], emitter: Emitter, nodes: Set[ast.expr]) -> set[Span]:
    """Where nodes of units stand in the text as it is now."""
    spans = set()
    for unit in units if nodes else ():
        emitter.shift = unit.shift
        for statement in unit.statements:
            spans |= {emitter.span(node) for node in every_node(statement) if node in nodes}
    return spans


def _is_overwritten(use: ApiUse, index: LineIndex) -> bool:
    return use.api in _STATISTICS and bool(_CHANGE.match(index.text, index.offset(use.span.end)))


def _with_own_forward(units: Sequence[Unit], emitter: Emitter, uses: list[ApiUse]) -> list[ApiUse]:
    # The body of a class is in units of its own; that of one inside of a function is not.
    owners = {unit.owner for unit in units if unit.kind is UnitKind.MEMBER and _has_forward(unit.statements)}
    spans = set()
    for unit in units:
        emitter.shift = unit.shift
        for node in (node for statement in unit.statements for node in every_node(statement)):
            if isinstance(node, ast.ClassDef):
                is_own = node.name in owners if unit.kind is UnitKind.CLASS else _has_forward(node.body)
                spans |= {emitter.span(base) for base in node.bases if is_own}
    return [_with(use, _FORWARD) if use.span in spans else use for use in uses]


def _has_forward(body: Sequence[ast.stmt]) -> bool:
    """Whether there is a forward that does without the base's."""
    found = (one for one in body if isinstance(one, ast.FunctionDef) and one.name == "forward")
    return any(all(getattr(node, "id", "") != "super" for node in every_node(one)) for one in found)


def _with_shared_changes(state: FileState, emitter: Emitter, uses: list[ApiUse]) -> list[ApiUse]:
    signs: dict[Span, frozenset[str]] = {}
    for shift, change, is_view in shared_changes(state.module.units, state.scopes):
        emitter.shift = shift
        signs[emitter.span(change)] = _VIEWED if is_view else _SHARED
    return [
        _with(use, signs[use.span]) if use.signs >= OF_TENSORS and use.span in signs else use for use in uses
    ]


def _lists_layers(use: ApiUse) -> bool:
    return use.form is Form.DYNAMIC and use.api == _LAYERS and use.detail.endswith(".__dict__")


def _with_listed_layers(units: Sequence[Unit], emitter: Emitter, uses: list[ApiUse]) -> list[ApiUse]:
    # The body of a class is in units of its own.
    found = {}
    for unit in (unit for unit in units if unit.kind is not UnitKind.CLASS):
        emitter.shift = unit.shift
        listed = listed_layers(unit.statements, _LAYERS)
        found.update({emitter.span(node): names for node, names in listed.items()})
    return [
        msgspec.structs.replace(use, names=found[use.span])
        if _lists_layers(use) and use.span in found
        else use
        for use in uses
    ]


def _with_groups_by_entries(units: Sequence[Unit], emitter: Emitter, uses: list[ApiUse]) -> list[ApiUse]:
    # The body of a class is in units of its own.
    units = [unit for unit in units if unit.kind is not UnitKind.CLASS]
    found = groups_by_entries([one for unit in units for one in unit.statements])
    spans = _spans(units, emitter, found)
    return [_with(use, _ENTRIES) if use.api == _GROUPS and use.span in spans else use for use in uses]


def _parts_with_leading_axes(state: FileState, emitter: Emitter) -> Iterator[ApiUse]:
    """A row for each tensor in `x[i] = value` that gets a value with more axes: of what is written to."""
    module = [
        one
        for unit in state.module.units
        if not unit.owner
        for one in unit.statements
        if not isinstance(one, DEFINITIONS)
    ]
    for unit, summary in zip(state.module.units, state.summaries, strict=True):
        rows = {use.span: use for use in state.rows[summary].uses if use.api == _SETITEM and use.call is None}
        if not rows:
            continue
        emitter.shift = unit.shift
        around = [] if unit.owner or isinstance(unit.statements[0], DEFINITIONS) else module
        for node in parts_written_with_leading_axes(unit.statements, around):
            row = rows.get(emitter.span(node))
            if row is not None:
                span = emitter.span(node.value)
                key = Argument(emitter.span(node.slice), kind=Kind.STR, is_literal=True, value=LEADING)
                yield msgspec.structs.replace(
                    row, api=_GETITEM, span=span, name_span=span, call=Call(span, (key,)), receiver=span
                )


def _with(use: ApiUse, signs: frozenset[str]) -> ApiUse:
    return msgspec.structs.replace(use, signs=use.signs | signs)
