"""Where each argument of a call stands in MindSpore's signature: by position while both signatures agree, by
name from the first place where they do not."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mindport.mapping.bind import RECEIVER, Binding, BoundOverload
from mindport.mapping.moves import Move, rule_of
from mindport.mapping.schema import Case
from mindport.model.language import say
from mindport.registry.signature import Parameter, ParameterKind, Signature
from mindport.usage.api_use import Argument


def fitting_signature(
    case: Case, overload: BoundOverload, signatures: Sequence[Signature], target_is_method: bool
) -> tuple[Signature | None, str]:
    """MindSpore's signature that has all names the call needs, or the first name that none has. None and no
    name where nothing is known of the target's parameters."""
    if not signatures or any(_is_opaque(signature) for signature in signatures):
        return None, ""
    first_missing = ""
    for signature in signatures:
        names = {parameter.name for parameter in signature.parameters}
        positional = _positional(signature)
        missing = ""
        for order, name in enumerate(p.name for p in overload.signature.parameters):
            rule = rule_of(case, name)
            is_left_out = rule.drop or rule.drop_when is not None or rule.report is not None
            if name not in overload.places or is_left_out:
                continue
            if target_is_method and name == RECEIVER:
                continue
            # A name that differs without a rule is taken for the same by its place, if it is the same place.
            if (rule.to or name) not in names and not (rule.to is None and order < len(positional)):
                missing = rule.to or name
                break
        if not missing:
            return signature, ""
        first_missing = first_missing or missing
    return None, first_missing


def _is_opaque(signature: Signature) -> bool:
    return any(parameter.kind is ParameterKind.VAR_KEYWORD for parameter in signature.parameters)


def _positional(signature: Signature) -> list[Parameter]:
    kinds = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.VAR_POSITIONAL)
    return [parameter for parameter in signature.parameters if parameter.kind in kinds]


def place_moves(
    case: Case,
    binding: Binding,
    overload: BoundOverload,
    signature: Signature | None,
    moves: list[Move],
    target_is_method: bool,
) -> list[Move] | str:
    """Decide for each argument whether it stays positional or needs its name."""
    positional = None if signature is None else _positional(signature)
    names = frozenset() if signature is None else frozenset(p.name for p in signature.parameters)
    own_order = [p.name for p in _positional(overload.signature)]
    torch_order = [RECEIVER, *own_order] if binding.has_receiver else own_order
    taken = {rule_of(case, name).to or name for name in torch_order}
    out: list[Move] = []
    position = 0
    by_name = False
    for move in moves:
        if move.is_dropped:
            out.append(move)
            continue
        if not move.places or (move.parameter == RECEIVER and target_is_method and not binding.has_receiver):
            out.append(msgspec.structs.replace(move, keyword=""))
            position += 0 if target_is_method else 1
            continue
        argument = binding.arguments[move.places[0]]
        target = move.keyword or move.parameter
        torch_parameter = overload.signature.parameter(move.parameter)
        spreads = torch_parameter is not None and torch_parameter.kind is ParameterKind.VAR_POSITIONAL
        # The receiver may have a parameter of its own name beside it, as in `layer.forward(input)`.
        at = own_order.index(move.parameter) + binding.has_receiver if move.parameter in own_order else -1
        is_next = at - target_is_method == position
        if argument.keyword is not None and move.is_placed:
            if by_name or not is_next:
                return say("`{keyword}=` would have to stand in its place", keyword=argument.keyword)
            out.append(msgspec.structs.replace(move, keyword=""))
            position += 1
            continue
        if argument.keyword is not None:
            if names and target not in names:
                return say(
                    "`{keyword}=` has no counterpart in {call}", keyword=argument.keyword, call=case.call
                )
            out.append(msgspec.structs.replace(move, keyword=target))
            by_name = True
            continue
        slot = positional[position] if positional is not None and position < len(positional) else None
        packed = False
        if spreads and slot is not None and slot.kind is not ParameterKind.VAR_POSITIONAL:
            packing = needs_tuple([binding.arguments[place] for place in move.places])
            packed = bool(packing)
        if positional is None:
            fits = not by_name and not move.is_named and is_next
        else:
            fits = (
                not by_name
                and slot is not None
                and (
                    slot.name == target
                    or (slot.kind is ParameterKind.VAR_POSITIONAL)
                    or (target not in names and slot.name not in taken and not move.keyword)
                )
            )
        if not fits and names and target not in names:
            return say("`{parameter}` has no counterpart in {call}", parameter=move.parameter, call=case.call)
        if not fits and len(move.places) > 1 and not packed:
            return say("`{parameter}` cannot be passed by name", parameter=move.parameter)
        by_name = by_name or not fits
        out.append(msgspec.structs.replace(move, keyword="" if fits else target, is_packed=packed))
        position += len(move.places) if slot is not None and slot.kind is ParameterKind.VAR_POSITIONAL else 1
    return out


def name_by_rule(moves: list[Move], signatures: Sequence[Signature]) -> list[Move]:
    """Where MindSpore's order is not known, an argument that has a name of its own there is passed by it,
    unless the first parameter is known to be called so."""
    first = next((p.name for one in signatures[:1] for p in _positional(one)[:1]), None)
    by_name = False
    out: list[Move] = []
    for number, move in enumerate(moves):
        renamed = move.keyword and not (number == 0 and first in (None, move.keyword, "args"))
        by_name = by_name or bool(renamed)
        is_spread = len(move.places) > 1
        if by_name and not move.is_dropped and move.places and not is_spread:
            move = msgspec.structs.replace(move, keyword=move.keyword or move.parameter, is_named=True)
        out.append(move)
    return out


def needs_tuple(arguments: Sequence[Argument]) -> bool | None:
    """Whether spread arguments must be put into a tuple; None where one argument may be a number or a
    sequence."""
    if len(arguments) > 1:
        return True
    kind = arguments[0].kind.value
    if kind in ("int", "number", "bool") or (arguments[0].is_literal and isinstance(arguments[0].value, int)):
        return True
    return False if kind == "sequence" else None
