"""What may be written so that a gradient of a gradient comes out right: the inner gradient as a graph, or an equal
expression whose operators can be differentiated twice."""

from __future__ import annotations

import re
from collections.abc import Callable

from mindport.mapping.equivalents import ALL_ARGUMENTS, HOLE, Equivalent, equivalents_of
from mindport.mapping.helper_source import helper_source
from mindport.mapping.second_order import LinkOutcome, SecondOrder
from mindport.model.language import say
from mindport.model.target import Mode
from mindport.model.verdict import Applicability
from mindport.registry.binding import Overload, bind
from mindport.registry.signature import Signature
from mindport.rewrite.pieces import HelperName, Piece, Rewrite, mindspore_name
from mindport.source.lines import LineIndex
from mindport.usage.api_use import ApiUse, Argument, TorchName
from mindport.usage.regions.link import ChainLink

_ROOTS = ("ops", "nn", "mint")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*")
_PRECEDENCE = frozenset("+-*/")


def jit_rewrite(link: ChainLink, answer: SecondOrder) -> Rewrite | None:
    """Run the inner gradient under `ms.jit`, where that was measured to help. The rewrite is of the file of
    `link.gradient`. It is not safe: what a graph cannot hold fails to compile."""
    if link.gradient is None or not answer.works_in_graph or answer.mode is not Mode.PYNATIVE:
        return None
    if answer.outcome not in (LinkOutcome.WRONG, LinkOutcome.HAZARD, LinkOutcome.REFUSED):
        return None
    if not link.gradient.name.startswith("mindspore."):
        return None
    span = link.gradient.span
    pieces: tuple[Piece, ...] = (mindspore_name("mindspore.jit"), "(", span, ")")
    return Rewrite(span, pieces, Applicability.UNSAFE, say("Run the inner gradient under `mindspore.jit`"))


def equivalent_rewrite(
    use: ApiUse, answer: SecondOrder, lines: LineIndex, signatures: Callable[[str], tuple[Signature, ...]]
) -> Rewrite | None:
    """Write an equal expression whose links are complete in place of a call of a MindSpore name."""
    call = use.call
    if call is None or use.api != answer.api or answer.outcome in (LinkOutcome.FINE, LinkOutcome.UNKNOWN):
        return None
    overload = bind(signatures(use.api), call.arguments).chosen
    if overload is None or overload.open_parameters or any(argument.star for argument in call.arguments):
        return None
    constants = _constants(overload, call.arguments)
    for equivalent in equivalents_of(use.api, constants, in_graph=answer.mode is Mode.GRAPH):
        replacement = HOLE.sub(lambda hole: hole[1], equivalent.rewrite)
        if equivalent.rewrite.endswith(ALL_ARGUMENTS):
            callee = replacement.removesuffix(ALL_ARGUMENTS)
            title = say("Replace by `{replacement}`", replacement=callee)
            return Rewrite(use.span, tuple(_named(callee)), Applicability.UNSAFE, title, use.api)
        pieces = _pieces(equivalent, overload, call.arguments, lines)
        if pieces is not None:
            title = say("Replace by `{replacement}`", replacement=replacement)
            return Rewrite(call.span, pieces, Applicability.UNSAFE, title, use.api)
    return None


def _constants(overload: Overload, arguments: tuple[Argument, ...]) -> dict[str, str]:
    """Parameter -> the source of its constant value, passed or by default; without those that are not constant."""
    found = {}
    for parameter in overload.signature.parameters:
        places = overload.arguments.get(parameter.name, ())
        if len(places) == 1:
            argument = arguments[places[0]]
            if argument.is_literal and not isinstance(argument.value, TorchName):
                found[parameter.name] = repr(argument.value)
        elif not places and parameter.default is not None:
            found[parameter.name] = parameter.default
    return found


def _pieces(
    equivalent: Equivalent, overload: Overload, arguments: tuple[Argument, ...], lines: LineIndex
) -> tuple[Piece, ...] | None:
    """The template with its holes filled; None where an argument would be computed twice, or has no place in it."""
    template = equivalent.rewrite
    holes = HOLE.findall(template)
    passed = {name for name, places in overload.arguments.items() if places}
    if passed - set(holes) - equivalent.when.keys():
        return None
    found: list[Piece] = []
    end = 0
    for hole in HOLE.finditer(template):
        found += _named(template[end : hole.start()])
        end = hole.end()
        name = hole[1]
        places = overload.arguments.get(name, ())
        if places:
            span = arguments[places[0]].span
            is_plain = lines.slice(span).replace(".", "").isidentifier()
            if not is_plain and holes.count(name) > 1:
                return None
            found += (
                [span] if is_plain or _stands_alone(template, hole.start(), hole.end()) else ["(", span, ")"]
            )
            continue
        parameter = overload.signature.parameter(name)
        if parameter is None or parameter.default is None:
            return None
        found.append(parameter.default)
    found += _named(template[end:])
    return _whole(tuple(found), template)


def _named(text: str) -> list[Piece]:
    """Literal text, with the names in it that the file may write otherwise: MindSpore's and those of helpers."""
    found: list[Piece] = []
    end = 0
    for match in _NAME.finditer(text):
        name = match[0]
        piece: Piece
        if name.partition(".")[0] in _ROOTS and "." in name:
            piece = mindspore_name(f"mindspore.{name}")
        elif helper_source(name):
            piece = HelperName(name)
        else:
            continue
        found += [text[end : match.start()], piece]
        end = match.end()
    return [piece for piece in (*found, text[end:]) if piece]


def _stands_alone(template: str, start: int, end: int) -> bool:
    """Whether a hole is an argument of its own, which needs no parentheses."""
    return template[:start].rstrip()[-1:] in ("(", ",", "=") and template[end:].lstrip()[:1] in (")", ",")


def _whole(pieces: tuple[Piece, ...], template: str) -> tuple[Piece, ...]:
    """A sum goes into parentheses: the call may be an operand."""
    depth = 0
    for letter in template:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0 and letter in _PRECEDENCE:
            return ("(", *pieces, ")")
    return pieces
