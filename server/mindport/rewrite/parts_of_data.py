"""Writes to a tensor and to its parts, where `data` is another tensor while a gradient is recorded."""

from __future__ import annotations

import ast

import msgspec

from mindport.model.span import Span
from mindport.model.target import Mode, Target, Version
from mindport.model.verdict import Confidence
from mindport.rewrite.pieces import HelperName, Piece
from mindport.rewrite.spans import end_of
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_expression
from mindport.usage.api_use import ApiUse

DATA = ".data"
_ELEMENTS = "TorchElements"
# The first version in which `data` of any tensor can be assigned.
_DATA_IS_ASSIGNED = Version(2, 8)


def is_basic_part(source: str) -> bool:
    """Whether a text is a part of a tensor that can be assigned to as it stands: `x[0]`, `x[:, a:b]`. Of an index with
    a name nobody knows whether it selects a part or copies elements."""
    if not source.endswith("]"):
        return False
    try:
        node = parse_expression(source)
    except SYNTAX_ERRORS:
        return False
    if not isinstance(node, ast.Subscript):
        return False
    axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    places = (axis.operand if isinstance(axis, ast.UnaryOp) else axis for axis in axes)
    return all(
        isinstance(place, ast.Slice)
        or (isinstance(place, ast.Constant) and type(place.value) in (int, type(...)))
        for place in places
    )


def is_part_of_tensor(use: ApiUse, source: str) -> bool:
    """Whether the receiver of a use, which reads `source`, is a part that can be assigned to as it stands, and not an
    element of a list or tuple of tensors: there the element would be replaced, and its tensor stay as it is."""
    if not is_basic_part(source):
        return False
    place = getattr(parse_expression(source), "slice", None)
    is_several = isinstance(place, ast.Slice | ast.Tuple) or getattr(place, "value", None) is ...
    return "part" in use.signs or is_several


def assigns_data(target: Target) -> bool:
    """Whether `data` of any tensor can be assigned."""
    return target.mode is Mode.PYNATIVE and target.version >= _DATA_IS_ASSIGNED


def is_computed(use: ApiUse) -> bool:
    """Whether the receiver belongs to a tensor that a network computes while a gradient is recorded: no Parameter, of
    which an optimizer would lose what is assigned to its `data`."""
    return use.may_be_recorded and use.confidence is Confidence.PROVED and "parameter" not in use.signs


def written_to_the_tensor(
    pieces: list[Piece], receiver: Span, lines: LineIndex, *, past_history: bool
) -> list[Piece]:
    """`x[()] = y` instead of `x.data[()] = y`: while a gradient is recorded, `data` is another tensor in MindSpore, and
    what is written to its elements is lost. `x.data = x.data.f()`, where the gradient has to go on as if nothing had
    been written."""
    match pieces:
        case [Span() as part, str(text), *rest] if part == receiver and text.startswith("[()] ="):
            if lines.slice(part).endswith(DATA):
                if past_history and receiver in rest:
                    return [part, text.removeprefix("[()]"), *rest]
                end = msgspec.structs.replace(part, end_column=part.end_column - len(DATA))
                return [end, text, *rest]
    return pieces


def written_to_the_part(pieces: list[Piece], lines: LineIndex, *, in_network: bool) -> list[Piece]:
    """`x[a:b] = 0` instead of `x[a:b][()] = 0`; in a network the elements of `x` for `x.data[a:b]`."""
    match pieces:
        case [Span() as part, str(text), *rest] if text.startswith("[()] ="):
            written = elements_of_data(part, lines) if in_network else [part]
            return [*written, text.removeprefix("[()]"), *rest]
    return pieces


def elements_of_data(part: Span, lines: LineIndex) -> list[Piece]:
    """A part `x.data[a:b]` or `x.detach()[a:b]` as what can be written to while a gradient is recorded; any other as
    it is."""
    start, end = lines.offset(part.start), lines.offset(part.end)
    node = parse_expression(f"({lines.slice(part)}\n)")
    data = node.value if isinstance(node, ast.Subscript) else None
    match data:
        case ast.Attribute(value=written_to, attr="data"):
            pass
        case ast.Call(func=ast.Attribute(value=written_to, attr="detach"), args=[], keywords=[]):
            pass
        case _:
            return [part]
    written = LineIndex(f"({lines.slice(part)}\n)")
    owner, behind = (start - 1 + end_of(one, written) for one in (written_to, data))
    return [HelperName(_ELEMENTS), "(", lines.span(start, owner), ")", lines.span(behind, end)]
