"""The signature differ: which parameters of torch are missing, renamed or have another default in MindSpore.
Computed from the two signatures and the rules of the case, never typed by hand."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.mapping.bind import RECEIVER, Binding, BoundOverload
from mindport.mapping.converters import CONVERTERS, convert
from mindport.mapping.judgement import Difference, DifferenceKind
from mindport.mapping.moves import checked_move, is_method_name, rule_of, same_default
from mindport.mapping.schema import ArgumentRule, Case
from mindport.model.language import say, translated
from mindport.registry.signature import Parameter, ParameterKind, Signature
from mindport.usage.api_use import Kind

_VARIABLE = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


def find_differences(
    case: Case, binding: Binding, torch: Sequence[Signature], mindspore: Sequence[Signature], is_proved: bool
) -> tuple[Difference, ...]:
    """The parameters that differ when `case` answers the call, those that matter for it first. `is_proved`:
    a run showed that differing defaults do not change the result."""
    if case.call is None:
        return ()
    overload = binding.overloads[0] if binding.overloads else None
    signature = overload.signature if overload is not None else (torch[0] if torch else None)
    if signature is None:
        return ()
    known = nearest_signature(case, signature, mindspore)
    found = []
    for order, parameter in enumerate(signature.parameters):
        if parameter.kind in _VARIABLE or (parameter.name == RECEIVER and is_method_name(case.call)):
            continue
        one = _difference(case, parameter, order, known, binding, overload, is_proved)
        if one is not None:
            found.append(one)
    found.sort(key=lambda difference: (not difference.silent, not difference.matters))
    return tuple(found)


def nearest_signature(case: Case, torch: Signature, mindspore: Sequence[Signature]) -> Signature | None:
    """MindSpore's overload that shares most parameters with torch's signature, the shorter one of two."""
    wanted = {rule_of(case, parameter.name).to or parameter.name for parameter in torch.parameters}
    return max(
        mindspore,
        key=lambda one: (sum(p.name in wanted for p in one.parameters), -len(one.parameters)),
        default=None,
    )


def _is_dropped(case: Case, binding: Binding, overload: BoundOverload, name: str) -> bool:
    """Whether the passed value is one of those that `drop_when` names."""
    move = checked_move(case, binding, name, overload.places[name])
    return not isinstance(move, str) and move.is_dropped


def _difference(
    case: Case,
    parameter: Parameter,
    order: int,
    mindspore: Signature | None,
    binding: Binding,
    overload: BoundOverload | None,
    is_proved: bool,
) -> Difference | None:
    name = parameter.name
    rule = rule_of(case, name)
    is_passed = overload is not None and name in overload.places
    if rule.report is not None:
        matters = is_passed and not (overload is not None and _is_dropped(case, binding, overload, name))
        return Difference(DifferenceKind.REPORTED, name, matters=matters, note=rule.report)
    if rule.drop or (rule.drop_when is not None and not rule.to):
        return Difference(DifferenceKind.DROPPED, name) if is_passed else None
    target = rule.to or name
    if (rule.convert is not None or rule.values) and not _stays(rule, binding, overload, name):
        note = (
            translated(CONVERTERS[rule.convert][0])
            if rule.convert
            else say("other words for the same values")
        )
        return Difference(DifferenceKind.CONVERTED, name, target, matters=is_passed, note=note)
    counterpart = None if mindspore is None else mindspore.parameter(target)
    if counterpart is None:
        is_named = _is_named(name, binding, overload)
        return _without_counterpart(name, rule, order, mindspore, is_passed, is_named)
    if not same_default(parameter.default, counterpart.default) and _are_known(parameter, counterpart):
        matters = not is_passed and rule.default is None and not is_proved and binding.is_call
        return Difference(
            DifferenceKind.DEFAULT,
            name,
            target,
            parameter.default or "",
            counterpart.default or "",
            matters=matters or (rule.default is not None and not is_passed),
            silent=matters,
        )
    if target == name:
        return None
    return Difference(DifferenceKind.RENAMED, name, target, matters=_is_named(name, binding, overload))


def _stays(rule: ArgumentRule, binding: Binding, overload: BoundOverload | None, name: str) -> bool:
    """Whether the call passes a value that no converter changes, or only where its text is a certain one. Of a written
    sequence only the text says whether it is a list or a tuple."""
    if rule.convert is None or overload is None:
        return False
    converter = rule.convert
    arguments = [binding.arguments[place] for place in overload.places.get(name, ())]
    texts = [(repr(one.value) if one.is_literal else "value", one.kind) for one in arguments]
    return bool(texts) and all(
        kind is not Kind.SEQUENCE and convert(converter, text, kind.value) == text for text, kind in texts
    )


def _is_named(name: str, binding: Binding, overload: BoundOverload | None) -> bool:
    """Whether the call passes the parameter by its name; by position another name does not matter."""
    places = () if overload is None else overload.places.get(name, ())
    return any(binding.arguments[place].keyword is not None for place in places)


def _without_counterpart(
    name: str, rule: ArgumentRule, order: int, mindspore: Signature | None, is_passed: bool, is_named: bool
) -> Difference | None:
    if mindspore is None or any(p.kind in _VARIABLE for p in mindspore.parameters):
        return Difference(DifferenceKind.RENAMED, name, rule.to, matters=is_named) if rule.to else None
    taken_by_place = rule.to is None and order == 0 and bool(mindspore.parameters)
    if taken_by_place:
        return Difference(DifferenceKind.RENAMED, name, mindspore.parameters[0].name)
    return Difference(DifferenceKind.MISSING, name, matters=is_passed)


def _are_known(torch: Parameter, mindspore: Parameter) -> bool:
    """Both have a default that can be compared; `None` on one side stands for "as the other says" too
    often."""
    return None not in (torch.default, mindspore.default) and not {"...", "None"} & {
        torch.default,
        mindspore.default,
    }
