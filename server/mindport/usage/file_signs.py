"""Signs of uses that only the whole file shows: who reads a tensor again after it was overwritten."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import msgspec

from mindport.model.span import Span
from mindport.source.units import Unit, UnitKind
from mindport.usage.api_use import ApiUse, Argument, Call, Kind
from mindport.usage.emit import Emitter
from mindport.usage.files import FileState, place_of
from mindport.usage.leading_axes import LEADING, parts_written_with_leading_axes
from mindport.usage.reread_inputs import OVERWRITING, reread_inputs
from mindport.usage.scope_storage import DEFINITIONS
from mindport.usage.shared_changes import OF_TENSORS, shared_changes

_GETITEM, _SETITEM = "torch.Tensor.__getitem__", "torch.Tensor.__setitem__"
# A layer that overwrites its input where that is read again.
_REREAD = frozenset({"reread"})
# A change by an operator of a tensor that others have, as it is or in another shape.
_SHARED, _VIEWED = frozenset({"shared"}), frozenset({"viewed"})


def with_signs_of_file(state: FileState, emitter: Emitter, uses: list[ApiUse]) -> list[ApiUse]:
    """The uses in a file, those with signs for what the whole file shows of them."""
    if any(map(_may_overwrite, uses)):
        uses = _with_reread_inputs(state.module.units, emitter, uses)
    if any(use.signs >= OF_TENSORS for use in uses):
        uses = _with_shared_changes(state, emitter, uses)
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
    spans = set()
    for unit in units if found else ():
        emitter.shift = unit.shift
        for statement in unit.statements:
            spans |= {emitter.span(node) for node in ast.walk(statement) if node in found}
    return [_with(use, _REREAD) if use.call is not None and use.call.span in spans else use for use in uses]


def _with_shared_changes(state: FileState, emitter: Emitter, uses: list[ApiUse]) -> list[ApiUse]:
    signs: dict[Span, frozenset[str]] = {}
    for shift, change, is_view in shared_changes(state.module.units, state.scopes):
        emitter.shift = shift
        signs[emitter.span(change)] = _VIEWED if is_view else _SHARED
    return [
        _with(use, signs[use.span]) if use.signs >= OF_TENSORS and use.span in signs else use for use in uses
    ]


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
