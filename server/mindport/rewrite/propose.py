"""Turns the judgement of one use into a rewrite, or none where nothing can be written for certain."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from mindport.mapping.bind import Binding
from mindport.mapping.by_cases import binding_of
from mindport.mapping.judge import is_as_safe, judge_as_value, judge_by_helper
from mindport.mapping.judgement import Judgement
from mindport.mapping.moves import is_method_name, is_size_of_numpy
from mindport.mapping.named_class import names_several
from mindport.mapping.plan import MindSporeSide, TorchSide
from mindport.mapping.schema import Case
from mindport.mapping.standing_classes import helper_base
from mindport.mapping.template import DECORATED, INTO_OPERAND
from mindport.model.language import say
from mindport.model.span import Span
from mindport.model.target import Target
from mindport.model.verdict import Applicability
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.rewrite.call import call_pieces
from mindport.rewrite.changed_operand import operand_changed
from mindport.rewrite.fill import named_pieces, template_pieces
from mindport.rewrite.format_strings import fitted_into_format_string, is_in_format_string
from mindport.rewrite.left_out import LEFT_OUT, statement_left_out
from mindport.rewrite.looked_up import names_written_out
from mindport.rewrite.pieces import HelperName, Piece, Rewrite, mindspore_name
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_expression
from mindport.usage.api_use import ApiUse, Form

_RENAMED_IN_PLACE = frozenset((Form.METHOD, Form.ATTRIBUTE, Form.OVERRIDE))


def propose(
    use: ApiUse,
    judgement: Judgement,
    lines: LineIndex,
    torch: TorchSide | None = None,
    mindspore: MindSporeSide | None = None,
) -> tuple[Rewrite, ...]:
    """The rewrites for a use, best first; empty where there is none. `torch` and `mindspore` are the facts
    that the judgement was made with; those that ship if left out."""
    if use.form is Form.DYNAMIC and judgement.applicability is not None:
        return names_written_out(use, judgement, lines)
    use, case = judgement.as_seen or use, judgement.case
    if case is None or judgement.applicability is None or not _is_as_expected(use, lines):
        return ()
    span = use.span if use.call is None else use.call.span
    torch_side: TorchSide = torch_facts() if torch is None else torch
    mindspore_side: MindSporeSide = (
        mindspore_facts(judgement.target.version) if mindspore is None else mindspore
    )
    if case.rewrite == DECORATED:
        return _without_decorator(use, judgement.applicability, judgement.case_index, lines)
    if case.rewrite == LEFT_OUT:
        return _left_out(use, judgement.applicability, judgement.case_index, lines)
    binding = binding_of(use, judgement.form or "", torch_side.signatures(use.api))
    pieces = _pieces(use, case, binding, lines, mindspore_side, judgement.target)
    if pieces is not None and judgement.stands_with and _takes_several(use, lines):
        pieces = _one_of(pieces, judgement.stands_with)
    if pieces is None:
        # An argument that would stand twice in the text: a function takes it once.
        other = judge_by_helper(use, judgement, torch_side, mindspore_side)
        as_value = judge_as_value(use, judgement, torch_side, mindspore_side)
        other = other or (as_value if as_value is not None and is_as_safe(as_value, judgement) else None)
        if other is not None:
            return propose(use, other, lines, torch_side, mindspore_side)
        pieces = named_pieces(use, case, binding, lines) if case.rewrite else None
        if pieces is None and as_value is not None:
            return propose(use, as_value, lines, torch_side, mindspore_side)
    pieces = None if pieces is None else fitted_into_format_string(_joined(pieces), lines, span.start)
    if pieces is None:
        return ()
    if _is_unchanged(pieces, span, lines) or (case.rewrite and _is_done(pieces, span, lines)):
        return ()
    applicability = judgement.applicability
    loses_comment = _loses_comment(pieces, span, lines)
    if loses_comment and applicability is Applicability.SAFE:
        applicability = Applicability.UNSAFE
    title = say("Replace `{api}` by `{target}`", api=use.api, target=_target(case))
    if use.form is Form.LAYER_CALL:
        title = say("Give `{api}` its arguments by place", api=use.api)
    return (Rewrite(span, pieces, applicability, title, use.api, judgement.case_index, loses_comment),)


def _without_decorator(
    use: ApiUse, applicability: Applicability, case_index: int, lines: LineIndex
) -> tuple[Rewrite, ...]:
    """The lines of a decorator taken away; nothing where something else stands in them."""
    span = use.span if use.call is None else use.call.span
    before = lines.line_text(span.line)[: span.column]
    behind = lines.line_text(span.end_line)[span.end_column :]
    if before.strip() != "@" or behind.strip() or span.end_line >= lines.line_count:
        return ()
    whole = Span(span.line, 0, span.end_line + 1, 0)
    title = say("Leave out `{api}`", api=use.api)
    return (Rewrite(whole, (), applicability, title, use.api, case_index),)


def _method_by_helper(
    use: ApiUse, helper: str, arguments: Span, lines: LineIndex
) -> tuple[Piece, ...] | None:
    """The call of a method as that of a function: `x.name(a)` -> `helper(x, a)`."""
    text = lines.slice(arguments)
    opening = text.find("(")
    if use.receiver is None or use.call is None or opening < 0 or text[:opening].strip():
        return None
    start = lines.position(lines.offset(arguments.start) + opening + 1)
    inside = Span(start.line, start.column, arguments.end_line, arguments.end_column)
    behind = text[opening + 1 :].lstrip()
    comma = "" if behind.startswith(")") else "," if text[opening + 1] in "\r\n" else ", "
    return (HelperName(helper), "(", use.receiver, comma, inside)


def _left_out(
    use: ApiUse, applicability: Applicability, case_index: int, lines: LineIndex
) -> tuple[Rewrite, ...]:
    statement = statement_left_out(use, lines)
    if statement is None:
        return ()
    span, pieces = statement
    loses_comment = "#" in lines.slice(span)
    if loses_comment and applicability is Applicability.SAFE:
        applicability = Applicability.UNSAFE
    title = say("Leave out `{api}`", api=use.api)
    return (Rewrite(span, pieces, applicability, title, use.api, case_index, loses_comment),)


def _pieces(
    use: ApiUse,
    case: Case,
    binding: Binding,
    lines: LineIndex,
    mindspore: MindSporeSide,
    target: Target,
) -> tuple[Piece, ...] | None:
    if case.helper is not None:
        end = (use.span if use.call is None else use.call.span).end
        kept = Span(use.span.end_line, use.span.end_column, end.line, end.column)
        if use.form is Form.METHOD:
            return _method_by_helper(use, case.helper, kept, lines)
        is_layer = case.helper[:1].isupper()
        return (HelperName(case.helper), *(_with_python_sizes(kept, binding) if is_layer else (kept,)))
    if case.rewrite == INTO_OPERAND:
        return operand_changed(use, lines)
    if case.rewrite is not None and names_several(case) and not _takes_several(use, lines):
        return None
    if case.rewrite is not None:
        pieces = template_pieces(use, case, binding, lines, target)
        return _spread(pieces) if pieces and names_several(case) and _is_caught_beside(use, lines) else pieces
    if case.call is None:
        return None
    if use.call is not None and use.form is not Form.ATTRIBUTE and binding.overloads:
        return call_pieces(use, case, binding, lines, mindspore.signatures(case.call))
    return _renamed(use, case.call)


def _with_python_sizes(kept: Span, binding: Binding) -> Iterator[Piece]:
    """The arguments of a layer as they stand, but for sizes that NumPy computed: those of MindSpore take numbers of
    Python only."""
    sizes = {
        binding.arguments[place].span.start: binding.arguments[place].span
        for overload in binding.overloads
        for name, places in overload.places.items()
        for place in places
        if len(places) == 1 and is_size_of_numpy(binding, name, [binding.arguments[place]])
    }
    start = kept.start
    for begin in sorted(sizes):
        size = sizes[begin]
        yield from (Span(start.line, start.column, begin.line, begin.column), "int(", size, ")")
        start = size.end
    yield Span(start.line, start.column, kept.end_line, kept.end_column)


def _renamed(use: ApiUse, target: str) -> tuple[Piece, ...] | None:
    """A name without arguments: the last part of a method or attribute, or the whole dotted name."""
    if use.form in _RENAMED_IN_PLACE:
        if not is_method_name(target):
            return None
        whole, name = use.span, use.name_span
        new = target.rpartition(".")[2]
        return (
            Span(whole.line, whole.column, name.line, name.column),
            new,
            Span(name.end_line, name.end_column, whole.end_line, whole.end_column),
        )
    return None if is_method_name(target) else (mindspore_name(target),)


def _one_of(pieces: tuple[Piece, ...], others: Iterable[str]) -> tuple[Piece, ...]:
    """A tuple of classes, for `isinstance`."""
    written: list[Piece] = ["(", *pieces]
    for name in others:
        written += [", ", HelperName(name) if helper_base(name) is not None else mindspore_name(name)]
    return (*written, ")")


def _is_caught_beside(use: ApiUse, lines: LineIndex) -> bool:
    """Whether a class stands with others in a tuple behind `except`, which takes no tuples inside."""
    if use.form is not Form.TYPE_CHECK:
        return False
    opened = re.search(r"\bexcept\s*\(([^()]*)$", lines.text[: lines.offset(use.span.start)])
    behind = lines.text[lines.offset(use.span.end) :].lstrip()
    return opened is not None and ("," in opened[1] or behind.startswith(","))


def _spread(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The classes of a tuple without its parentheses."""
    first, last = pieces[0], pieces[-1]
    if not isinstance(first, str) or not isinstance(last, str):
        return pieces
    if len(pieces) == 1:
        return (first.removeprefix("(").removesuffix(")"),)
    return (first.removeprefix("("), *pieces[1:-1], last.removesuffix(")"))


def _takes_several(use: ApiUse, lines: LineIndex) -> bool:
    """Whether a class stands in `isinstance`, `issubclass` or alone behind `except`, which take several, and not in a
    comparison of types."""
    if use.form is not Form.TYPE_CHECK:
        return False
    before = lines.text[: lines.offset(use.span.start)]
    if re.search(r"\bexcept[ ]*\(*$", before) or _is_caught_beside(use, lines):
        return True
    checks = list(re.finditer(r"\b(?:isinstance|issubclass)\(", before))
    if not checks:
        return False
    depth = 1
    for sign in re.findall(r"[()]", before[checks[-1].end() :]):
        depth += 1 if sign == "(" else -1
        if depth == 0:
            return False
    return True


def _is_as_expected(use: ApiUse, lines: LineIndex) -> bool:
    """Whether the text at the place is the name that was seen there. Places in f-strings and in quoted
    annotations are not always what the parser says, and of code that has changed nobody knows what is around it."""
    if use.is_outdated:
        return False
    if use.form in (Form.LAYER_CALL, Form.FORMAT, Form.SIZES):
        return True  # any expression may give a layer, a number or a shape
    if use.form in (Form.OPERATOR, Form.INDEX):
        return not is_in_format_string(lines, use.span.start)
    name = lines.slice(use.name_span)
    if name.startswith("type(") and name.endswith(")"):
        return True  # the class of tensors, as that of a value
    return name.isidentifier() and lines.slice(use.span).rstrip(") \t\r\n").endswith(name)


def _joined(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The same without empty pieces, and with neighbouring text and neighbouring holes made one."""
    out: list[Piece] = []
    for piece in pieces:
        if piece == "" or (isinstance(piece, Span) and piece.start == piece.end):
            continue
        last = out[-1] if out else None
        if isinstance(piece, str) and isinstance(last, str):
            out[-1] = last + piece
        elif isinstance(piece, Span) and isinstance(last, Span) and last.end == piece.start:
            out[-1] = Span(last.line, last.column, piece.end_line, piece.end_column)
        else:
            out.append(piece)
    return tuple(out)


def _is_unchanged(pieces: tuple[Piece, ...], span: Span, lines: LineIndex) -> bool:
    if any(not isinstance(piece, (str, Span)) for piece in pieces):
        return False
    text = "".join(piece if isinstance(piece, str) else lines.slice(piece) for piece in pieces if piece)  # type: ignore[arg-type]
    return text == lines.slice(span)


def _is_done(pieces: tuple[Piece, ...], span: Span, lines: LineIndex) -> bool:
    """Whether the text around the place already is what would be written: the new text of `x.stride()` is
    `tuple(x.stride())`, and stays so."""
    old = lines.slice(span)
    new = "".join(_shown(piece, lines) for piece in pieces)
    start = lines.offset(span.start) - new.find(old)
    if 0 <= start < lines.offset(span.start) and lines.text.startswith(new, start):
        return True
    # `x.scatter(0, i, float(1))` has the form of `$input.scatter($dim, $index, float($src))` already.
    names = re.search(r"\w", "".join(piece for piece in pieces if isinstance(piece, str)))
    shape = "".join(
        "(.+?)" if isinstance(piece, Span) else re.escape(_shown(piece, lines)) for piece in pieces
    )
    match = re.fullmatch(shape, old, re.DOTALL) if names else None
    return match is not None and all(_is_one_argument(group) for group in match.groups())


def _is_one_argument(text: str) -> bool:
    """Whether a text is one expression; what fills a hole is no list of several."""
    try:
        found = parse_expression(f"(\n{text}\n)")
    except SYNTAX_ERRORS:
        return False
    return not isinstance(found, ast.Tuple) or text.lstrip().startswith("(")


def _shown(piece: Piece, lines: LineIndex) -> str:
    if isinstance(piece, str):
        return piece
    return lines.slice(piece) if isinstance(piece, Span) else piece.local


def _loses_comment(pieces: tuple[Piece, ...], span: Span, lines: LineIndex) -> bool:
    """Whether a `#` is in the text of the span that no hole keeps."""
    kept = sorted(piece for piece in pieces if isinstance(piece, Span))
    position = lines.offset(span.start)
    for hole in kept:
        if "#" in lines.text[position : lines.offset(hole.start)]:
            return True
        position = max(position, lines.offset(hole.end))
    return "#" in lines.text[position : lines.offset(span.end)]


def _target(case: Case) -> str:
    if case.call is not None or case.helper is not None:
        return case.call or case.helper or ""
    return (case.rewrite or "").strip().replace("$", "")
