"""Fills the template of a `rewrite:` case with the source of the call's arguments."""

from __future__ import annotations

import ast
import re

from mindport.mapping.bind import RECEIVER, Binding
from mindport.mapping.converters import convert, is_atom
from mindport.mapping.moves import Move, rule_of
from mindport.mapping.schema import Case
from mindport.mapping.template import Hole, Template, read_template
from mindport.mapping.transfer import Transfer, transfer_template
from mindport.model.span import Span
from mindport.model.target import Target
from mindport.rewrite.helper_defaults import without_defaults
from mindport.rewrite.parts_of_data import (
    DATA,
    assigns_data,
    is_basic_part,
    is_computed,
    is_part_of_tensor,
    written_to_the_part,
    written_to_the_tensor,
)
from mindport.rewrite.pieces import HelperName, Piece
from mindport.rewrite.source_names import name_pieces
from mindport.rewrite.surroundings import needs_parentheses
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_expression
from mindport.source.trees import every_node
from mindport.usage.api_use import ApiUse, ResultUse

_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_CHOICE = re.compile(r"\b(?:if|lambda)\b|:=")  # what cannot stand alone behind an `if`
_SIZE = HelperName("torch_size")
# What may be written twice: computing it again costs little and changes nothing. No calls, which may do
# anything, and no subscripts, which may be copies: a template that writes to its argument would write to one
# of them.
_REPEATABLE = (
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.UnaryOp,
    ast.BinOp,
    ast.Tuple,
    ast.List,
    ast.operator,
    ast.unaryop,
    ast.expr_context,
)


def template_pieces(
    use: ApiUse, case: Case, binding: Binding, lines: LineIndex, target: Target | None = None
) -> tuple[Piece, ...] | None:
    """The pieces that replace the whole expression, or None where an argument keeps the template from being
    filled. What only some targets understand is written for `target`."""
    template = read_template(case.rewrite or "")
    if template.is_statement and (use.result is not ResultUse.DISCARDED or use.call is None):
        return None
    # A name in the place of a name, or something made of the object whose method is handed on.
    is_bare = use.call is None and all(_is_receiver(hole.name, use, case) for hole in template.holes)
    transfer = Transfer() if is_bare else transfer_template(case, binding)
    if transfer.problem:
        return None
    if transfer.hands_on:
        return _handed_on(use, case, binding, lines)
    moves = {move.parameter: move for move in transfer.moves}
    passed = {RECEIVER, *(name for name, move in moves.items() if not move.is_dropped)}
    template = without_defaults(template, passed, lambda hole: _text_of(_default(hole, case, binding)))
    counts: dict[str, int] = {}
    for hole in template.holes:
        counts[hole.name] = counts.get(hole.name, 0) + 1
    imports = tuple(case.imports)
    pieces: list[Piece] = []
    for number, part in enumerate(template.parts):
        if isinstance(part, str):
            pieces += name_pieces(part, imports)
            continue
        filled = _filled(part, use, case, binding, moves, lines)
        if part.name == RECEIVER and use.receiver is not None and not _is_asked(template, number):
            filled = _object_of_super(lines.slice(use.receiver)) or filled
        if filled is None or (counts[part.name] > 1 and not _is_repeatable(filled, lines)):
            return None
        if part.hidden and _mentions(filled, part.hidden, lines):
            return None
        if len(filled) > 3 and filled[0] == "(" and pieces and str(pieces[-1]).endswith("*"):
            # `*(x, y)`, packed from arguments that stood one by one, is written `x, y`.
            pieces[-1] = str(pieces[-1])[:-1]
            filled = filled[1:-2]
        pieces += _bare_generator(filled, template, number, lines)
    if template.is_statement and use.receiver is not None:
        past_history = target is not None and assigns_data(target) and is_computed(use)
        pieces = written_to_the_tensor(pieces, use.receiver, lines, past_history=past_history)
        if is_part_of_tensor(use, lines.slice(use.receiver).removesuffix(DATA)):
            pieces = written_to_the_part(pieces, lines, in_network=use.may_be_recorded)
    span = use.span if use.call is None else use.call.span
    may_be_test = _CHOICE.search(case.rewrite or "") is None
    is_torn = not _is_atomic(template, pieces, lines) and needs_parentheses(
        lines, span, template.is_statement, may_be_test
    )
    if is_torn or _breaks_off(pieces, lines):
        return ("(", *pieces, ")")
    return tuple(pieces)


def _is_receiver(name: str, use: ApiUse, case: Case) -> bool:
    return name == RECEIVER and use.receiver is not None and case.when.get("$call") is False


def _breaks_off(pieces: list[Piece], lines: LineIndex) -> bool:
    """Whether an argument that is left alone goes on in the next line, which the parentheses of its call allowed."""
    match pieces:
        case [Span() as alone] if alone.line != alone.end_line:
            try:
                parse_expression(lines.slice(alone))
            except SYNTAX_ERRORS:
                return True
    return False


def _is_asked(template: Template, number: int) -> bool:
    """Whether the text behind a hole asks what fills it for a member."""
    behind = template.parts[number + 1 : number + 2]
    return bool(behind) and isinstance(behind[0], str) and behind[0].startswith(".")


def _object_of_super(receiver: str) -> list[Piece] | None:
    """The object that `super()` or `super(Net, self)` stands for where no method of it is called; None for any other
    receiver."""
    if not receiver.startswith("super"):
        return None
    try:
        node = parse_expression(receiver)
    except SYNTAX_ERRORS:
        return None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "super":
        return None
    return [ast.unparse(node.args[1]) if len(node.args) > 1 else "self"]


def named_pieces(use: ApiUse, case: Case, binding: Binding, lines: LineIndex) -> tuple[Piece, ...] | None:
    """The same for an argument that the template computes with twice: `(lambda x: x / norm(x))(f(y))`. Whatever is not
    a literal gets a name there, so nothing in the template depends on where it stands. None where that cannot be."""
    template = read_template(case.rewrite or "")
    transfer = transfer_template(case, binding)
    if template.is_statement or transfer.problem or transfer.hands_on or not template.holes:
        return None
    moves = {move.parameter: move for move in transfer.moves}
    imports = tuple(case.imports)
    text = "".join(part for part in template.parts if isinstance(part, str))
    taken = frozenset(_WORD.findall(text)).union(*(hole.hidden for hole in template.holes))
    named: dict[str, list[Piece]] = {}
    body: list[Piece] = []
    for part in template.parts:
        if isinstance(part, str):
            body += name_pieces(part, imports)
            continue
        filled = _filled(part, use, case, binding, moves, lines)
        if filled is None or part.is_spread:
            return None
        if _is_literal(filled, lines):
            body += filled
            continue
        if part.name in taken:
            return None
        body.append(part.name)
        alone = _filled(Hole(part.name, is_spread=False, stands_alone=True), use, case, binding, moves, lines)
        named[part.name] = alone or filled
    values: list[Piece] = []
    for value in named.values():
        values += [", " if values else "", *value]
    return ("(lambda ", ", ".join(named), ": ", *body, ")(", *values, ")") if named else None


def _is_literal(pieces: list[Piece], lines: LineIndex) -> bool:
    source = "".join(lines.slice(piece) if isinstance(piece, Span) else str(piece) for piece in pieces)
    try:
        ast.literal_eval(source.strip())
    except (ValueError, *SYNTAX_ERRORS):
        return False
    return True


def _handed_on(use: ApiUse, case: Case, binding: Binding, lines: LineIndex) -> tuple[Piece, ...] | None:
    """A call of the template's function with the arguments as they stand, the receiver first."""
    arguments: list[list[Piece]] = []
    if binding.has_receiver:
        if use.receiver is None:
            return None
        if use.result is ResultUse.DISCARDED and is_basic_part(lines.slice(use.receiver).removesuffix(DATA)):
            return None  # a function changes the copy that it is given of a part
        arguments.append(_placed(use.receiver, Hole(RECEIVER, is_spread=False, stands_alone=True), lines))
    for argument in binding.arguments:
        before = f"{argument.keyword}=" if argument.keyword else "*" * argument.star
        arguments.append([before, argument.span])
    pieces: list[Piece] = [*name_pieces((case.rewrite or "").partition("(")[0], tuple(case.imports)), "("]
    for number, placed in enumerate(arguments):
        pieces += [", " if number else "", *placed]
    return (*pieces, ")")


def _bare_generator(filled: list[Piece], template: Template, number: int, lines: LineIndex) -> list[Piece]:
    """A generator that is the only argument of a call stands without parentheses of its own."""
    (*before, _), behind = template.parts[: number + 1], template.parts[number + 1 :]
    is_only = before and behind and str(before[-1])[-1:] == "(" and str(behind[0])[:1] == ")"
    if is_only and len(filled) == 1 and isinstance(filled[0], Span):
        source = lines.slice(filled[0])
        # An argument may go on in the next line without parentheses of its own, so it is parsed in some.
        if source[:1] == "(" and isinstance(parse_expression(f"({source}\n)"), ast.GeneratorExp):
            start, end = lines.offset(filled[0].start), lines.offset(filled[0].end)
            return [lines.span(start + 1, end - 1)]
    return filled


def _is_atomic(template: Template, pieces: list[Piece], lines: LineIndex) -> bool:
    """Whether the result binds tighter than any operator: by its own form, or because it is one hole that
    does."""
    if template.is_statement or (template.is_atom and len(template.parts) > 1):
        return True
    if len(template.parts) == 1 and isinstance(template.parts[0], Hole):
        spans = [piece for piece in pieces if isinstance(piece, Span)]
        return (len(pieces) == 1 and len(spans) == 1 and is_atom(lines.slice(spans[0]))) or len(pieces) > 1
    return template.is_atom


def _filled(
    hole: Hole, use: ApiUse, case: Case, binding: Binding, moves: dict[str, Move], lines: LineIndex
) -> list[Piece] | None:
    if hole.name == RECEIVER and (binding.has_receiver or use.call is None):
        return None if use.receiver is None else _placed(use.receiver, hole, lines)
    move = moves.get(hole.name)
    if move is None or move.is_dropped:
        return _default(hole, case, binding)
    arguments = [binding.arguments[place] for place in move.places]
    is_starred = any(argument.star for argument in arguments)
    if hole.is_spread or move.is_packed or is_starred or len(arguments) > 1:
        pieces: list[Piece] = []
        for argument in arguments:
            pieces += ((", " if pieces else "") + "*" * argument.star, argument.span)
        if hole.is_spread:
            return pieces
        if is_starred:  # may be numbers, or one sequence of them
            return [_SIZE, "(", *pieces, ")"]
        return ["(", *pieces, "," if len(arguments) == 1 else "", ")"]
    (argument,) = arguments
    source = lines.slice(argument.span)
    new = converted(source, argument.kind.value, move)
    if new is None:
        return None
    if new == source:
        return _placed(argument.span, hole, lines)
    if not hole.stands_alone and not is_atom(new):
        new = f"({new})"
    return list(around_hole(new, source, argument.span))


def converted(source: str, kind: str, move: Move) -> str | None:
    """The new source of a value after the rule's words and converter; None where it cannot be converted."""
    new = source
    for old, replacement in move.values:
        if _same_literal(old, source):
            new = replacement
            break
    return convert(move.convert, new, kind) if move.convert else new


def _same_literal(one: str, other: str) -> bool:
    if one == other:
        return True
    return one[:1] in "'\"" and other[:1] in "'\"" and one[1:-1] == other[1:-1]


def around_hole(new: str, source: str, span: Span) -> tuple[Piece, ...]:
    """`new` with the original in a hole where it holds it once as a whole, so that what is inside can be
    rewritten too, and with the names around it as names."""
    if new.count(source) != 1:
        return (new,)
    before, _, behind = new.partition(source)
    kept = source if _may_be_repeated(source) else span
    return (*name_pieces(before), kept, *name_pieces(behind))


def _placed(span: Span, hole: Hole, lines: LineIndex) -> list[Piece]:
    source = lines.slice(span)
    if is_atom(source) and ("\n" not in source or hole.stands_alone):
        return [span]
    if hole.stands_alone and not _needs_own_parentheses(source):
        return [span]
    return ["(", span, ")"]


def _needs_own_parentheses(source: str) -> bool:
    """Expressions that may not stand bare between commas: `a := b`, `yield x`, `x for x in y`, `a, b`."""
    try:
        parse_expression(f"f(0, a={source}\n)")
    except SYNTAX_ERRORS:
        return True
    return False


def _default(hole: Hole, case: Case, binding: Binding) -> list[Piece] | None:
    default = rule_of(case, hole.name).default
    if default is None:
        for overload in binding.overloads:
            parameter = overload.signature.parameter(hole.name)
            if parameter is not None and parameter.default not in (None, "..."):
                default = parameter.default
                break
    if default is None or default.startswith("torch."):
        return None
    text = default if hole.stands_alone or is_atom(default) else f"({default})"
    return list(name_pieces(text, tuple(case.imports)))


def _text_of(pieces: list[Piece] | None) -> str | None:
    return None if pieces is None else "".join(map(str, pieces))


def _is_repeatable(pieces: list[Piece], lines: LineIndex) -> bool:
    return all(not isinstance(piece, Span) or _may_be_repeated(lines.slice(piece)) for piece in pieces)


def _mentions(pieces: list[Piece], names: frozenset[str], lines: LineIndex) -> bool:
    """Whether what fills a hole refers to one of `names`; a text that cannot be read alone may."""
    sources = [lines.slice(piece) for piece in pieces if isinstance(piece, Span)]
    try:
        trees = [parse_expression(f"f({source}\n)") for source in sources]
    except SYNTAX_ERRORS:
        return True
    used = {node.id for tree in trees for node in every_node(tree) if isinstance(node, ast.Name)}
    used.update(word for piece in pieces if isinstance(piece, str) for word in _WORD.findall(piece))
    return not names.isdisjoint(used)


def _may_be_repeated(source: str) -> bool:
    try:
        tree = parse_expression(source)
    except SYNTAX_ERRORS:
        return False
    return all(isinstance(node, _REPEATABLE) for node in every_node(tree))
