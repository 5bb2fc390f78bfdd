"""The table of arguments of a case: each of torch's beside MindSpore's, the defaults, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mindport.explain.markdown import table
from mindport.mapping.bind import RECEIVER
from mindport.mapping.converters import CONVERTERS
from mindport.mapping.difference import nearest_signature
from mindport.mapping.moves import is_method_name, rule_of, same_default
from mindport.mapping.schema import Case
from mindport.model.language import say, translated
from mindport.registry.signature import Parameter, ParameterKind, Signature

_STARS = {ParameterKind.VAR_POSITIONAL: "*", ParameterKind.VAR_KEYWORD: "**"}


def argument_table(case: Case, torch: Signature, mindspore: Sequence[Signature]) -> list[str]:
    """The lines of the table in Markdown; none where the case calls nothing, or MindSpore's signature is not known."""
    theirs = nearest_signature(case, torch, mindspore)
    if case.call is None or theirs is None:
        return []
    rows = list(_rows(case, torch, theirs))
    if not rows:
        return []
    headings = ["torch", say("default"), "MindSpore", say("default"), say("what becomes of it")]
    return table(headings, rows)


def _rows(case: Case, torch: Signature, mindspore: Signature) -> Iterator[tuple[str, ...]]:
    taken = set()
    for order, parameter in enumerate(torch.parameters):
        rule = rule_of(case, parameter.name)
        counterpart = mindspore.parameter(rule.to or parameter.name)
        is_receiver = parameter.name == RECEIVER and order == 0
        if is_receiver and is_method_name(case.call or ""):
            continue
        if counterpart is None and order == 0 and rule.to is None and mindspore.parameters:
            counterpart = mindspore.parameters[0]  # goes by its place, whatever its name
        if rule.drop or rule.report is not None:
            counterpart = None
        if counterpart is not None:
            taken.add(counterpart.name)
        yield (*_words(parameter), *_words(counterpart), _fate(case, parameter, counterpart))
    for extra in mindspore.parameters:
        if extra.name not in taken and extra.name not in ("self", *case.args):
            added = case.add.get(extra.name)
            fate = say("`{value}` is written", value=added) if added else say("torch has no such argument")
            yield ("", "", *_words(extra), fate)


def _words(parameter: Parameter | None) -> tuple[str, str]:
    if parameter is None:
        return "", ""
    default = "" if parameter.default in (None, "...") else f"`{parameter.default}`"
    return f"`{_STARS.get(parameter.kind, '')}{parameter.name}`", default


def _fate(case: Case, torch: Parameter, mindspore: Parameter | None) -> str:
    rule = rule_of(case, torch.name)
    if rule.report is not None:
        return say("no counterpart: {report}", report=rule.report)
    if rule.drop:
        return say("left out: it does not change the result")
    if mindspore is None:
        return say("no counterpart: a call that passes it is not rewritten")
    said = []
    if rule.convert is not None:
        said.append(translated(CONVERTERS[rule.convert][0]))
    said += [f"`{old}` -> `{new}`" for old, new in rule.values.items()]
    if rule.default is not None:
        said.append(say("`{value}` is written where the call leaves it out", value=rule.default))
    elif not same_default(torch.default, mindspore.default) and "..." not in (
        torch.default,
        mindspore.default,
    ):
        said.append(say("another default"))
    if torch.name != mindspore.name:
        said.insert(0, say("another name"))
    return "; ".join(said) or say("the same")
