"""What becomes of each argument of a call when it is written for MindSpore: kept, renamed, converted,
dropped, or the reason why it cannot be written. Decides; the rewriting layer turns the decisions into
text."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import msgspec

from mindport.mapping.bind import RECEIVER, Binding, BoundOverload
from mindport.mapping.condition import TRUE, any_of, evaluate
from mindport.mapping.converters import convert
from mindport.mapping.schema import ArgumentRule, Case, Predicate
from mindport.mapping.template import read_template
from mindport.registry.signature import Parameter, ParameterKind, Signature
from mindport.usage.api_use import Argument


class Move(msgspec.Struct, frozen=True):
    """One argument on its way. `places` are the indexes of the source arguments; empty for the receiver.
    `keyword` is the name it must be written with, empty where it stands by position; `is_packed` where
    several become one tuple."""

    parameter: str
    places: tuple[int, ...]
    keyword: str = ""
    is_dropped: bool = False
    is_packed: bool = False
    is_named: bool = False  # must go by name, whatever the place
    convert: str = ""
    values: tuple[tuple[str, str], ...] = ()


class Transfer(msgspec.Struct, frozen=True):
    """All arguments of one call. `additions` are keyword arguments to write besides; `problem` says why the
    call cannot be written. `receiver_leads` where an argument becomes the value before the dot: it is the
    first move then."""

    moves: tuple[Move, ...] = ()
    additions: tuple[tuple[str, str], ...] = ()
    problem: str = ""
    receiver_leads: bool = False
    is_doubtful: bool = False


def rule_of(case: Case, name: str) -> ArgumentRule:
    """The rule for a torch argument; an empty one where the case has none."""
    rule = case.args.get(name)
    if rule is None:
        return _NO_RULE
    return ArgumentRule(to=rule) if isinstance(rule, str) else rule


_NO_RULE = ArgumentRule()


def transfer_call(case: Case, binding: Binding, signatures: Sequence[Signature]) -> Transfer:
    """How the arguments of a `call:` case are written; `signatures` are MindSpore's, empty where not known.
    Where several readings of the call remain, they must all be written the same way."""
    if not binding.overloads:
        return Transfer(problem="the arguments do not fit torch's signature as far as it is known")
    found = [_transfer(case, binding, overload, signatures) for overload in binding.overloads]
    if any(_written(one) != _written(found[0]) for one in found[1:]):
        return Transfer(problem="which overload is called is not known here")
    return next((one for one in found if not one.problem), found[0])


def transfer_template(case: Case, binding: Binding) -> Transfer:
    """Whether every argument of the call has a place in the template of a `rewrite:` case, and what is done
    to it."""
    if not binding.overloads:
        return Transfer(problem="the arguments do not fit torch's signature as far as it is known")
    if binding.has_stars:
        return Transfer(problem="starred arguments hide what is passed")
    wanted = {hole.name for hole in read_template(case.rewrite or "").holes}
    overload = next(
        (one for one in binding.overloads if wanted <= _known_names(one, binding)), binding.overloads[0]
    )
    if any(one.places != overload.places for one in binding.overloads):
        return Transfer(problem="which overload is called is not known here")
    moves: list[Move] = []
    is_doubtful = False
    for name, places in overload.places.items():
        move = _checked_move(case, binding, name, places, rule_of(case, name))
        if isinstance(move, str):
            return Transfer(problem=move)
        if name not in wanted and not move.is_dropped and name not in case.when:
            return Transfer(problem=f"the replacement has no place for `{name}`")
        if name in wanted and not move.is_dropped and _may_spread(binding, name):
            packing = _packing([binding.arguments[place] for place in places])
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
            return Transfer(problem=f"`{name}` is not passed and has no default")
    return Transfer(tuple(moves), is_doubtful=is_doubtful)


def _may_spread(binding: Binding, name: str) -> bool:
    parameters = (overload.signature.parameter(name) for overload in binding.overloads)
    return any(found is not None and found.kind is ParameterKind.VAR_POSITIONAL for found in parameters)


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
        move = _checked_move(case, binding, name, places, rule_of(case, name))
        if isinstance(move, str):
            return Transfer(problem=move)
        moves.append(move)
    if binding.has_stars:
        moves += [Move("", (i,)) for i, argument in enumerate(binding.arguments) if argument.star]
        return _with_stars(case, binding, overload, signatures, moves)
    signature, missing = _fitting_signature(case, overload, signatures, target_is_method)
    if missing:
        return Transfer(problem=f"`{missing}` has no counterpart in {case.call}")
    if target_is_method and not binding.has_receiver:
        moves.sort(key=lambda move: move.parameter != RECEIVER)
        if not moves or moves[0].parameter != RECEIVER or len(moves[0].places) != 1:
            return Transfer(problem="there is no tensor to call the method of")
    if signature is None:
        moves = _named_by_rule(case, binding, moves, signatures, target_is_method)
    placed = _placed(case, binding, overload, signature, moves, target_is_method)
    if isinstance(placed, str):
        return Transfer(problem=placed)
    leads = target_is_method and not binding.has_receiver
    doubtful = any(
        not move.is_packed
        and len(move.places) == 1
        and _may_spread(binding, move.parameter)
        and _packing([binding.arguments[move.places[0]]]) is None
        for move in placed
    )
    return Transfer(tuple(placed), _additions(case, overload, signature), "", leads, doubtful)


_CLASSES_OF_VALUES = frozenset(
    {"Tensor", "Parameter", "Cell", "CellList", "CellDict", "SequentialCell", "Optimizer", "LRScheduler"}
)


def is_method_name(dotted: str) -> bool:
    """Whether a MindSpore name is written as a method of a value: its second last part is a class of
    values."""
    return dotted.startswith("mindspore.") and dotted.split(".")[-2] in _CLASSES_OF_VALUES


def _with_stars(
    case: Case,
    binding: Binding,
    overload: BoundOverload,
    signatures: Sequence[Signature],
    moves: list[Move],
) -> Transfer:
    if is_method_name(case.call or "") != binding.has_receiver or not is_plain(
        case, overload.signature, signatures
    ):
        return Transfer(problem="starred arguments hide what is passed")
    return Transfer(tuple(moves))


def is_plain(case: Case, torch: Signature, signatures: Sequence[Signature]) -> bool:
    """Whether the names alone differ: every torch parameter has a counterpart of the same name, place and
    default, so that any call, seen or not, means the same."""
    if case.add or case.rewrite is not None or not signatures:
        return False
    if any(not isinstance(rule, str) for rule in case.args.values()):
        return False
    ours = [p for p in signatures[0].parameters if p.name not in ("self",)]
    if len(torch.parameters) > len(ours):
        return False
    for theirs, mine in zip(torch.parameters, ours, strict=False):
        if theirs.name != mine.name or theirs.kind != mine.kind or theirs.name in case.args:
            return False
        if not same_default(theirs.default, mine.default):
            return False
    return all(not p.is_required for p in ours[len(torch.parameters) :])


def same_default(torch: str | None, mindspore: str | None) -> bool:
    """Whether two defaults, given as source text, are the same value."""
    if torch == mindspore:
        return True
    if torch is None or mindspore is None:
        return False
    try:
        return bool(ast.literal_eval(torch) == ast.literal_eval(mindspore))
    except (ValueError, SyntaxError):
        return torch.rpartition(".")[2] == mindspore.rpartition(".")[2] and "." in torch and "." in mindspore


def _checked_move(
    case: Case, binding: Binding, name: str, places: tuple[int, ...], rule: ArgumentRule
) -> Move | str:
    """The move of one passed argument without its position, or why there is none."""
    if rule.report is not None:
        return f"`{name}` has no counterpart: {rule.report}"
    if rule.drop:
        return Move(name, places, is_dropped=True)
    arguments = [binding.arguments[place] for place in places]
    if rule.drop_when is not None:
        view = binding.view(binding.overloads[0], name)
        fits = any_of([evaluate(Predicate(equals=value), view) for value in rule.drop_when])
        if fits is TRUE:
            return Move(name, places, is_dropped=True)
        if not rule.to and not rule.convert and not rule.values:
            allowed = " or ".join(_literal(value) for value in rule.drop_when)
            return f"`{name}` has no counterpart unless it is {allowed}"
    if rule.convert is not None and any(_resists(rule.convert, argument) for argument in arguments):
        return f"`{name}` must be converted, and its value is not known here"
    if rule.values and any(not argument.is_literal for argument in arguments):
        return f"the value of `{name}` is not known here"
    return Move(name, places, rule.to or "", convert=rule.convert or "", values=tuple(rule.values.items()))


def _resists(converter: str, argument: Argument) -> bool:
    """Whether a converter can say nothing of a value of this kind. A sequence may be written out with
    elements that are no literals, which only its text shows."""
    if argument.is_literal or argument.kind.value == "sequence":
        return False
    return convert(converter, "value", argument.kind.value) is None


def _literal(value: Any) -> str:
    return repr(tuple(value)) if isinstance(value, list) else repr(value)


def _fitting_signature(
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
            if name not in overload.places or rule.drop or rule.drop_when is not None:
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


def _placed(
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
    torch_order = [p.name for p in _positional(overload.signature)]
    if binding.has_receiver:
        torch_order.insert(0, RECEIVER)
    taken = {rule_of(case, name).to or name for name in torch_order}
    out: list[Move] = []
    position = 0
    by_name = False
    for move in moves:
        if move.is_dropped:
            out.append(move)
            continue
        if move.parameter == RECEIVER and (target_is_method or not move.places):
            out.append(msgspec.structs.replace(move, keyword=""))
            position += 0 if target_is_method else 1
            continue
        argument = binding.arguments[move.places[0]]
        target = move.keyword or move.parameter
        torch_parameter = overload.signature.parameter(move.parameter)
        spreads = torch_parameter is not None and torch_parameter.kind is ParameterKind.VAR_POSITIONAL
        if argument.keyword is not None:
            if names and target not in names:
                return f"`{argument.keyword}=` has no counterpart in {case.call}"
            out.append(msgspec.structs.replace(move, keyword=target))
            by_name = True
            continue
        slot = positional[position] if positional is not None and position < len(positional) else None
        packed = False
        if spreads and slot is not None and slot.kind is not ParameterKind.VAR_POSITIONAL:
            packing = _packing([binding.arguments[place] for place in move.places])
            packed = bool(packing)
        if positional is None:
            offset = 1 if target_is_method else 0
            index = torch_order.index(move.parameter) if move.parameter in torch_order else -1
            fits = not by_name and not move.is_named and index - offset == position
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
            return f"`{move.parameter}` has no counterpart in {case.call}"
        if not fits and len(move.places) > 1 and not packed:
            return f"`{move.parameter}` cannot be passed by name"
        by_name = by_name or not fits
        out.append(msgspec.structs.replace(move, keyword="" if fits else target, is_packed=packed))
        position += len(move.places) if slot is not None and slot.kind is ParameterKind.VAR_POSITIONAL else 1
    return out


def _named_by_rule(
    case: Case, binding: Binding, moves: list[Move], signatures: Sequence[Signature], target_is_method: bool
) -> list[Move]:
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


def _packing(arguments: Sequence[Argument]) -> bool | None:
    """Whether spread arguments must be put into a tuple; None where one argument may be a number or a
    sequence."""
    if len(arguments) > 1:
        return True
    kind = arguments[0].kind.value
    if kind in ("int", "number", "bool") or (arguments[0].is_literal and isinstance(arguments[0].value, int)):
        return True
    return False if kind == "sequence" else None


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
