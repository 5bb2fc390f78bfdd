"""What becomes of each argument of a call when it is written for MindSpore: kept, renamed, converted,
dropped, or the reason why it cannot be written. Decides; the rewriting layer turns the decisions into
text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from mindport.mapping.bind import RECEIVER, Binding, BoundOverload
from mindport.mapping.helper_source import helper_parameters
from mindport.mapping.moves import (
    Move,
    checked_move,
    is_method_name,
    is_plain,
    is_same_by_place,
    rule_of,
    same_default,
)
from mindport.mapping.placement import fitting_signature, name_by_rule, needs_tuple, place_moves
from mindport.mapping.schema import Case
from mindport.mapping.template import read_template
from mindport.model.language import say
from mindport.registry.signature import Parameter, ParameterKind, Signature


class Transfer(msgspec.Struct, frozen=True):
    """All arguments of one call. `additions` are keyword arguments to write besides; `problem` says why the
    call cannot be written. `receiver_leads` where an argument becomes the value before the dot: it is the
    first move then. `hands_on` where a template's function takes the arguments as they stand, stars and all."""

    moves: tuple[Move, ...] = ()
    additions: tuple[tuple[str, str], ...] = ()
    problem: str = ""
    receiver_leads: bool = False
    is_doubtful: bool = False
    hands_on: bool = False


def transfer_call(case: Case, binding: Binding, signatures: Sequence[Signature]) -> Transfer:
    """How the arguments of a `call:` case are written; `signatures` are MindSpore's, empty where not known.
    Where several readings of the call remain, they must all be written the same way."""
    if not binding.overloads:
        return Transfer(problem=say("the arguments do not fit torch's signature as far as it is known"))
    found = [_transfer(case, binding, overload, signatures) for overload in binding.overloads]
    if any(_written(one) != _written(found[0]) for one in found[1:]):
        return Transfer(problem=say("which overload is called is not known here"))
    return next((one for one in found if not one.problem), found[0])


def transfer_template(case: Case, binding: Binding) -> Transfer:
    """Whether every argument of the call has a place in the template of a `rewrite:` case, and what is done
    to it."""
    if not binding.overloads:
        return Transfer(problem=say("the arguments do not fit torch's signature as far as it is known"))
    if binding.has_stars:
        if _takes_the_same(case, binding):
            return Transfer(hands_on=True)
        collected = _collected_by(case, binding)
        if collected is None:
            return Transfer(problem=say("starred arguments hide what is passed"))
        return collected
    wanted = {hole.name for hole in read_template(case.rewrite or "").holes}
    overload = next(
        (one for one in binding.overloads if wanted <= _known_names(one, binding)), binding.overloads[0]
    )
    if any(one.places != overload.places for one in binding.overloads):
        return Transfer(problem=say("which overload is called is not known here"))
    moves: list[Move] = []
    is_doubtful = False
    for name, places in overload.places.items():
        move = checked_move(case, binding, name, places)
        if isinstance(move, str):
            return Transfer(problem=move)
        if name not in wanted and not move.is_dropped and name not in case.when:
            return Transfer(problem=say("the replacement has no place for `{name}`", name=name))
        if name in wanted and not move.is_dropped and _may_spread(binding, name):
            packing = needs_tuple([binding.arguments[place] for place in places])
            is_doubtful = is_doubtful or (packing is None and not spread_only(case, name))
            move = msgspec.structs.replace(move, is_packed=bool(packing))
        moves.append(move)
    for name in sorted(wanted - overload.places.keys()):
        if name == RECEIVER and binding.has_receiver:
            continue
        parameter = overload.signature.parameter(name)
        if rule_of(case, name).default is not None:
            continue
        if parameter is None or parameter.default in (None, "..."):
            return Transfer(problem=say("`{name}` is not passed and has no default", name=name))
    return Transfer(tuple(moves), is_doubtful=is_doubtful)


def _takes_the_same(case: Case, binding: Binding) -> bool:
    """Whether a template only calls a function that is put into the file, and that function has torch's parameters in
    torch's order: then it takes what hides behind stars, too. One star (`normal_(*range)`) reaches no parameter that
    only goes by name."""
    by_name = {argument.keyword for argument in binding.arguments}
    takes_names = any(argument.star == 2 for argument in binding.arguments)
    read = {
        tuple(
            parameter.name
            for parameter in one.signature.parameters
            if takes_names or parameter.kind is not ParameterKind.KEYWORD_ONLY or parameter.name in by_name
        )
        for one in binding.overloads
    }
    if case.args or len(read) != 1:
        return False
    receiver = (RECEIVER,) if binding.has_receiver else ()
    (names,) = read
    function, _, arguments = (case.rewrite or "").partition("(")
    holes = ", ".join(f"${name}" for name in receiver + names)
    return arguments == f"{holes})" and helper_parameters(function)[len(receiver) :] == names


def _collected_by(case: Case, binding: Binding) -> Transfer | None:
    """What becomes of a call like `x.new_zeros(*size)`, where torch collects the values by place and the template has
    one hole for all of them; None where it is another call, or where the values are no sizes (`*$tensors`)."""
    template = read_template(case.rewrite or "")
    wanted = {hole.name for hole in template.holes}
    everything = {p.name for one in binding.overloads for p in one.signature.parameters if _collects(p)}
    if len(everything & wanted) != 1 or any(argument.star == 2 for argument in binding.arguments):
        return None
    (name,) = everything & wanted
    if any(isinstance(part, str) and part.endswith("*") for part in template.parts):
        return None
    places = tuple(place for place, argument in enumerate(binding.arguments) if argument.keyword is None)
    found = [checked_move(case, binding, name, places)]
    for place, argument in enumerate(binding.arguments):
        if argument.keyword is not None:
            found.append(checked_move(case, binding, argument.keyword, (place,)))
    moves = [move for move in found if not isinstance(move, str)]
    written = {move.parameter for move in moves if not move.is_dropped}
    receiver = {RECEIVER} if binding.has_receiver else set()
    if (
        len(moves) < len(found)
        or not written <= wanted
        or not wanted <= {m.parameter for m in moves} | receiver
    ):
        return None
    return Transfer(tuple(moves))


def _collects(parameter: Parameter) -> bool:
    return parameter.kind is ParameterKind.VAR_POSITIONAL


def _may_spread(binding: Binding, name: str) -> bool:
    parameters = (overload.signature.parameter(name) for overload in binding.overloads)
    return any(found is not None and _collects(found) for found in parameters)


def spread_only(case: Case, name: str) -> bool:
    """Whether the template of a case uses a collected argument only as `$*name`, which needs no tuple."""
    return all(hole.is_spread for hole in read_template(case.rewrite or "").holes if hole.name == name)


def _known_names(overload: BoundOverload, binding: Binding) -> set[str]:
    names = {parameter.name for parameter in overload.signature.parameters}
    return names | {RECEIVER} if binding.has_receiver else names


def _written(transfer: Transfer) -> Any:
    """What shows in the text: two overloads that differ only in the name of a positional parameter are
    one."""
    moves = tuple((m.places, m.keyword, m.is_dropped, m.convert, m.values) for m in transfer.moves)
    packed = tuple(m.is_packed for m in transfer.moves if len(m.places) > 1)
    return moves, packed, transfer.additions, bool(transfer.problem)


def _transfer(
    case: Case, binding: Binding, overload: BoundOverload, signatures: Sequence[Signature]
) -> Transfer:
    target_is_method = is_method_name(case.call or "")
    moves: list[Move] = []
    if binding.has_receiver:
        moves.append(Move(RECEIVER, ()))
    for name, places in sorted(overload.places.items(), key=lambda item: item[1]):
        move = checked_move(case, binding, name, places)
        if isinstance(move, str):
            return Transfer(problem=move)
        moves.append(move)
    if binding.has_stars:
        moves += [Move("", (i,)) for i, argument in enumerate(binding.arguments) if argument.star]
        return _with_stars(case, binding, overload, signatures, moves)
    signature, missing = fitting_signature(case, overload, signatures, target_is_method)
    if missing:
        return Transfer(
            problem=say("`{missing}` has no counterpart in {call}", missing=missing, call=case.call)
        )
    if target_is_method and not binding.has_receiver:
        moves.sort(key=lambda move: move.parameter != RECEIVER)
        if not moves or moves[0].parameter != RECEIVER or len(moves[0].places) != 1:
            return Transfer(problem=say("there is no tensor to call the method of"))
    if signature is None:
        moves = name_by_rule(moves, signatures)
    placed = place_moves(case, binding, overload, signature, moves, target_is_method)
    if isinstance(placed, str):
        return Transfer(problem=placed)
    leads = target_is_method and not binding.has_receiver
    doubtful = any(
        not move.is_packed
        and len(move.places) == 1
        and _may_spread(binding, move.parameter)
        and not rule_of(case, move.parameter).any_form
        and needs_tuple([binding.arguments[move.places[0]]]) is None
        for move in placed
    )
    return Transfer(tuple(placed), _additions(case, overload, signature), "", leads, doubtful)


def _with_stars(
    case: Case,
    binding: Binding,
    overload: BoundOverload,
    signatures: Sequence[Signature],
    moves: list[Move],
) -> Transfer:
    if is_method_name(case.call or "") == binding.has_receiver:
        if is_plain(case, overload.signature, signatures):
            return Transfer(tuple(moves))
        for form in (_with_places, _with_sizes, _with_keywords):
            spread = form(case, binding, overload, signatures, moves)
            if spread is not None:
                return spread
    return Transfer(problem=say("starred arguments hide what is passed"))


def _with_places(
    case: Case,
    binding: Binding,
    overload: BoundOverload,
    signatures: Sequence[Signature],
    moves: list[Move],
) -> Transfer | None:
    """`eye(*matrix.shape, device=d)`: what stands behind one star reaches the same places in both, and the arguments
    that are passed by name are written as ever."""
    if any(argument.star == 2 for argument in binding.arguments):
        return None
    if not is_same_by_place(case, overload.signature, signatures):
        return None
    named = [move for move in moves if move.places and binding.arguments[move.places[0]].keyword is not None]
    placed = place_moves(case, binding, overload, signatures[0], named, is_method_name(case.call or ""))
    if isinstance(placed, str):
        return None
    return Transfer((*(move for move in moves if move not in named), *placed))


def _with_sizes(
    case: Case,
    binding: Binding,
    overload: BoundOverload,
    signatures: Sequence[Signature],
    moves: list[Move],
) -> Transfer | None:
    """`randn(*shape, device=d)`: a star that can only reach what both collect as `*size`, with nothing
    positional before it; the other arguments are passed by name and written as ever."""
    own = [move for move in moves if move.parameter]
    if any(
        argument.star == 2 or (not argument.star and argument.keyword is None)
        for argument in binding.arguments
    ):
        return None
    collects = [
        one for one in signatures if one.parameters and one.parameters[0].kind is ParameterKind.VAR_POSITIONAL
    ]
    if len(overload.unknown) != 1 or not collects or len(signatures) != 1:
        return None
    (name,) = overload.unknown
    if name in case.args or overload.signature.parameters[0].name != name:
        return None
    placed = place_moves(case, binding, overload, collects[0], own, is_method_name(case.call or ""))
    if isinstance(placed, str):
        return None
    stars = [move for move in moves if not move.parameter]
    together = sorted([*stars, *placed], key=lambda move: move.places)
    return Transfer(tuple(together), _additions(case, overload, collects[0]))


def _with_keywords(
    case: Case,
    binding: Binding,
    overload: BoundOverload,
    signatures: Sequence[Signature],
    moves: list[Move],
) -> Transfer | None:
    """`empty(n, **options)` of a function: what the mapping may hold has the same name, value and default in
    MindSpore, or is refused aloud when the call is made. So the rest is written as ever, for a person to look
    at."""
    if binding.has_receiver or any(argument.star == 1 for argument in binding.arguments) or case.add:
        return None
    for parameter in overload.signature.parameters:
        rule = rule_of(case, parameter.name)
        is_translated = bool(rule.to or rule.convert or rule.values) or rule.default is not None
        if parameter.name not in overload.places and is_translated:
            return None
    signature, missing = fitting_signature(case, overload, signatures, target_is_method=False)
    if missing:
        return None
    own = [move for move in moves if move.parameter]
    if signature is None:
        own = name_by_rule(own, signatures)
    placed = place_moves(case, binding, overload, signature, own, target_is_method=False)
    if isinstance(placed, str):
        return None
    stars = [move for move in moves if not move.parameter]
    together = sorted([*stars, *placed], key=lambda move: move.places)
    return Transfer(tuple(together), is_doubtful=True)


def _additions(
    case: Case, overload: BoundOverload, signature: Signature | None
) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for name, rule in case.args.items():
        if isinstance(rule, str) or rule.default is None or name in overload.places:
            continue
        target = rule.to or name
        parameter = None if signature is None else signature.parameter(target)
        if parameter is not None and same_default(rule.default, parameter.default):
            continue
        found.append((target, rule.default))
    return (*found, *case.add.items())
