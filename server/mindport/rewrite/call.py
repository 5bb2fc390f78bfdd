"""Writes a `call:` case: another callee, arguments renamed, converted, dropped and added, and everything
between them left as it is."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.mapping.bind import RECEIVER, Binding
from mindport.mapping.converters import is_atom
from mindport.mapping.moves import Move, is_method_name
from mindport.mapping.schema import Case
from mindport.mapping.transfer import Transfer, transfer_call
from mindport.model.span import Span
from mindport.registry.signature import Signature
from mindport.rewrite.call_text import ArgumentText, CallText, read_call
from mindport.rewrite.fill import around_hole, converted
from mindport.rewrite.pieces import Piece, mindspore_name
from mindport.rewrite.source_names import name_pieces
from mindport.source.lines import LineIndex
from mindport.usage.api_use import ApiUse, Form

# An edit inside the parentheses: from, to (offsets), the new pieces.
_Change = tuple[int, int, list[Piece]]


def call_pieces(
    use: ApiUse, case: Case, binding: Binding, lines: LineIndex, signatures: Sequence[Signature]
) -> tuple[Piece, ...] | None:
    """The pieces that replace callee and parentheses, or None where the call cannot be written."""
    call, target = use.call, case.call
    if call is None or target is None:
        return None
    transfer = transfer_call(case, binding, signatures)
    if transfer.problem:
        return None
    to_method = is_method_name(target)
    layout = read_call(lines.text, lines, lines.offset(use.span.end), call)
    if layout is None:
        return (
            None if use.form is Form.LAYER_CALL else _only_the_name(use, transfer, target, binding, to_method)
        )
    changes = _changes(transfer, layout, binding, lines)
    if changes is None:
        return None
    name = target.rpartition(".")[2]
    start = lines.offset(call.span.start)
    first_kept = _first_kept(layout, transfer)
    head: list[Piece]
    if use.form is Form.LAYER_CALL:
        head = [lines.span(start, layout.inside)]
    elif to_method and binding.has_receiver:
        name_start, name_end = lines.offset(use.name_span.start), lines.offset(use.name_span.end)
        head = [lines.span(start, name_start), name, lines.span(name_end, layout.inside)]
    elif to_method:
        receiver = next(move for move in transfer.moves if move.parameter == RECEIVER)
        text = layout.arguments[receiver.places[0]]
        source = lines.text[text.bare_start : text.bare_end]
        atom = is_atom(source) and "\n" not in source
        hole = lines.span(text.bare_start, text.bare_end)
        head = [hole] if atom else ["(", hole, ")"]
        head.append(f".{name}(")
    elif binding.has_receiver:
        if use.receiver is None:
            return None
        behind = lines.text[layout.inside : layout.inside + 1]
        comma = "" if first_kept is None else ("," if behind in "\r\n" else ", ")
        head = [mindspore_name(target), "(", use.receiver, comma]
        if first_kept is None and transfer.additions:
            head.append(", ")
    else:
        head = [mindspore_name(target), lines.span(lines.offset(use.span.end), layout.inside)]
    body = _body(changes, layout.inside, layout.close, lines)
    return (*head, *body, ")")


def _only_the_name(
    use: ApiUse, transfer: Transfer, target: str, binding: Binding, to_method: bool
) -> tuple[Piece, ...] | None:
    """For calls whose arguments cannot be taken apart: nothing but the callee may change."""
    call = use.call
    changes_arguments = transfer.additions or any(
        move.keyword or move.is_placed or move.is_dropped or move.is_packed or move.convert or move.values
        for move in transfer.moves
    )
    if call is None or changes_arguments or to_method != binding.has_receiver:
        return None
    name, whole = use.name_span, call.span
    if to_method:
        before = Span(whole.line, whole.column, name.line, name.column)
        behind = Span(name.end_line, name.end_column, whole.end_line, whole.end_column)
        return (before, target.rpartition(".")[2], behind)
    end = use.span
    return (mindspore_name(target), Span(end.end_line, end.end_column, whole.end_line, whole.end_column))


def _first_kept(layout: CallText, transfer: Transfer) -> ArgumentText | None:
    gone = {place for move in transfer.moves if move.is_dropped for place in move.places}
    return next((text for index, text in enumerate(layout.arguments) if index not in gone), None)


def _changes(
    transfer: Transfer, layout: CallText, binding: Binding, lines: LineIndex
) -> list[_Change] | None:
    """All edits inside the parentheses, in order; None where a value cannot be converted."""
    changes: list[_Change] = []
    gone: set[int] = set()
    to_receiver = {
        place
        for move in transfer.moves
        if move.parameter == RECEIVER and not binding.has_receiver and _leads(move, transfer)
        for place in move.places
    }
    for move in transfer.moves:
        if move.is_dropped:
            gone.update(move.places)
        elif move.places and not to_receiver.issuperset(move.places):
            found = _moved(move, layout, binding, lines)
            if found is None:
                return None
            changes += found
    gone |= to_receiver
    kept = [index for index in range(len(layout.arguments)) if index not in gone]
    for first, last in _runs(sorted(gone)):
        changes.append(_removal(first, last, layout))
    if transfer.additions:
        new: list[Piece] = []
        for number, (name, source) in enumerate(transfer.additions):
            separator = ", " if number or kept else ""
            new += [f"{separator}{name}=", *name_pieces(source)]
        where = layout.arguments[kept[-1]].end if kept else layout.close
        changes.append((where, where, new))
    changes.sort(key=lambda change: (change[0], change[1]))
    return changes


def _leads(move: Move, transfer: Transfer) -> bool:
    """Whether the tensor among the arguments becomes the value before the dot: it is then moved to the
    front."""
    return transfer.moves[0] is move and transfer.receiver_leads


def _moved(move: Move, layout: CallText, binding: Binding, lines: LineIndex) -> list[_Change] | None:
    changes: list[_Change] = []
    first, last = layout.arguments[move.places[0]], layout.arguments[move.places[-1]]
    argument = binding.arguments[move.places[0]]
    if argument.keyword is None and move.keyword:
        changes.append((first.start, first.start, [f"{move.keyword}="]))
    elif argument.keyword is not None and move.keyword and argument.keyword != move.keyword:
        if argument.keyword_span is None:
            return None
        span = argument.keyword_span
        changes.append((lines.offset(span.start), lines.offset(span.end), [move.keyword]))
    elif argument.keyword is not None and move.is_placed:
        changes.append((first.start, first.value_start, []))
    if move.is_packed:
        if len(move.places) == 1 and first.bare_start > first.value_start:  # its own parentheses serve
            changes.append((first.bare_end, first.bare_end, [","]))
            return changes
        changes.append((first.value_start, first.value_start, ["("]))
        closing = ",)" if len(move.places) == 1 else ")"
        changes.append((last.value_end, last.value_end, [closing]))
        return changes
    if move.convert or move.values:
        for place in move.places:
            text = layout.arguments[place]
            source = lines.text[text.bare_start : text.bare_end]
            new = converted(source, binding.arguments[place].kind.value, move)
            if new is None:
                return None
            if new != source:
                pieces = around_hole(new, source, lines.span(text.bare_start, text.bare_end))
                changes.append((text.value_start, text.value_end, list(pieces)))
    return changes


def _runs(indexes: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for index in indexes:
        if runs and runs[-1][1] == index - 1:
            runs[-1] = (runs[-1][0], index)
        else:
            runs.append((index, index))
    return runs


def _removal(first: int, last: int, layout: CallText) -> _Change:
    """Take out neighbouring arguments with the commas that belong to them."""
    arguments = layout.arguments
    if first > 0:
        return (arguments[first - 1].end, arguments[last].end, [])
    if last + 1 < len(arguments):
        return (arguments[first].start, arguments[last + 1].start, [])
    return (layout.inside, layout.close, [])


def _body(changes: Sequence[_Change], start: int, end: int, lines: LineIndex) -> list[Piece]:
    """Holes for all that stays, and the new pieces between them."""
    pieces: list[Piece] = []
    position = start
    for change_start, change_end, new in changes:
        if change_start < position:
            if change_end <= position and not new:
                continue
            change_start = position
        if change_start > position:
            pieces.append(lines.span(position, change_start))
        pieces += new
        position = max(position, change_end)
    if position < end:
        pieces.append(lines.span(position, end))
    return pieces
