"""How far a name that is handed on as a value can be renamed, when nobody sees its arguments."""

from __future__ import annotations

from mindport.mapping.moves import is_plain, rule_of, same_default
from mindport.mapping.named_class import names_several
from mindport.mapping.plan import Plan
from mindport.mapping.schema import Case
from mindport.model.verdict import Applicability
from mindport.registry.signature import ParameterKind, Signature
from mindport.usage.api_use import ApiUse, Form


def as_value(use: ApiUse, case: Case, plan: Plan, mindspore: tuple[Signature, ...]) -> Applicability | None:
    """How far a name that is used as a value can be renamed when nobody sees its arguments. None: not at
    all."""
    torch = plan.signatures
    if case.when.get("$call") is False or "$forward" in case.when:
        # The case is for exactly these uses.
        return None if names_several(case) and use.form is not Form.TYPE_CHECK else Applicability.SAFE
    if case.call is None and case.rewrite is None:
        return Applicability.SAFE  # nothing is written: the same name serves
    if case.call is None:
        return None
    if use.form is Form.BASE_CLASS and _takes_anything(torch):
        return Applicability.SAFE
    if not torch:
        return Applicability.UNSAFE
    if plan.form == "module" and _takes_anything(torch) and _takes_nothing(mindspore):
        return Applicability.SAFE  # the constructor is nn.Module's, which refuses all arguments
    if len(torch) == 1 and is_plain(case, torch[0], mindspore):
        return Applicability.SAFE
    shared = _shared_parameters(case, torch, mindspore)
    if shared is None:
        return None
    # Where MindSpore's function takes nothing more, a caller that passes what is missing hears of it. Of classes that
    # are handed on much is asked: `act_layer(inplace=True)`.
    is_class = use.api.rpartition(".")[2][:1].isupper()
    is_loud = shared == len(mindspore[0].parameters) and not is_class
    return Applicability.SAFE if is_loud else Applicability.UNSAFE


def _takes_anything(torch: tuple[Signature, ...]) -> bool:
    kinds = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
    return all(parameter.kind in kinds for signature in torch for parameter in signature.parameters)


def _takes_nothing(mindspore: tuple[Signature, ...]) -> bool:
    return len(mindspore) == 1 and not mindspore[0].parameters


def _shared_parameters(
    case: Case, torch: tuple[Signature, ...], mindspore: tuple[Signature, ...]
) -> int | None:
    """How many parameters both have, where these agree in name, order and default and only optional ones are missing;
    None where they do not."""
    if len(torch) != 1 or len(mindspore) != 1 or case.add or case.silent:
        return None
    theirs = {parameter.name: parameter for parameter in mindspore[0].parameters}
    order = []
    for parameter in torch[0].parameters:
        rule = rule_of(case, parameter.name)
        if rule.to or rule.convert or rule.values or rule.default is not None:
            return None
        counterpart = theirs.get(parameter.name)
        if counterpart is None:
            if parameter.is_required:
                return None
            continue
        if not same_default(parameter.default, counterpart.default):
            return None
        order.append(counterpart)
    return len(order) if order == list(mindspore[0].parameters)[: len(order)] else None
