"""Checks a mapping against the facts of both frameworks: names that do not exist, parameters that nobody
has. Kept apart from the checks that need no facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mindport.mapping.bind import RECEIVER
from mindport.mapping.moves import is_method_name, rule_of
from mindport.mapping.names import listed_names
from mindport.mapping.plan import target_names
from mindport.mapping.problem import MappingProblem, did_you_mean
from mindport.mapping.schema import Case, Forms, Mapping
from mindport.mapping.template import DECORATED, read_template
from mindport.registry.mindspore import MindSporeFacts
from mindport.registry.signature import ParameterKind, Signature
from mindport.registry.torch import TorchFacts

_COLLECTING = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


def check_against_facts(
    mapping: Mapping, file: str, torch: TorchFacts, mindspore: MindSporeFacts
) -> tuple[MappingProblem, ...]:
    """Everything in `mapping` that the facts contradict."""
    return tuple(
        MappingProblem(file, path, message) for path, message in _problems(mapping, torch, mindspore)
    )


def _problems(mapping: Mapping, torch: TorchFacts, mindspore: MindSporeFacts) -> Iterator[tuple[str, str]]:
    names = listed_names(mapping.torch)
    for name, form in names:
        canonical = torch.canonical(name)
        if not name.startswith("torch."):
            continue  # of torchvision and the like there are no facts
        if canonical is None:
            known = (
                torch.members(name.rpartition(".")[0]) if form in ("method", "attribute") else torch.names()
            )
            near = did_you_mean(name.rpartition(".")[2], [one.rpartition(".")[2] for one in known])
            yield f"torch.{form}", f"torch has no {name}{near}"
    for index, case in enumerate(mapping.cases):
        for path, message in _case_problems(case, names, torch, mindspore):
            yield f"cases[{index}]{path}", message


def _case_problems(
    case: Case, names: Iterable[tuple[str, Forms]], torch: TorchFacts, mindspore: MindSporeFacts
) -> Iterator[tuple[str, str]]:
    fitting = [name for name, form in names if not case.forms or form in case.forms]
    parameters = _parameters(fitting, torch)
    if parameters is not None:
        template = "" if case.rewrite in (None, DECORATED) else case.rewrite
        holes = [hole.name for hole in read_template(template).holes] if template else []
        for key, used in ((".when", case.when), (".args", case.args), (".rewrite", holes)):
            for name in used:
                if name not in parameters and not name.startswith("$"):
                    near = did_you_mean(name, parameters) or f" (known: {', '.join(sorted(parameters))})"
                    yield f"{key}.{name}", f"torch has no parameter {name!r} here{near}"
    for name in target_names(case):
        if not mindspore.has(name):
            near = did_you_mean(name, (one for one in mindspore.names() if one[:12] == name[:12]))
            yield ".call" if case.call else ".rewrite", f"MindSpore has no {name}{near}"
    if case.call is not None and mindspore.has(case.call):
        yield from _target_problems(case, mindspore.signatures(case.call))


def _parameters(names: Iterable[str], torch: TorchFacts) -> set[str] | None:
    """All parameters of all names; None where some signature is not known or takes anything."""
    found = {RECEIVER}
    for name in names:
        signatures = torch.signatures(name)
        if not signatures:
            return None
        for signature in signatures:
            for parameter in signature.parameters:
                if parameter.kind is ParameterKind.VAR_KEYWORD:
                    return None
                found.add(RECEIVER if parameter.name == "self" else parameter.name)
    return found


def _target_problems(case: Case, signatures: tuple[Signature, ...]) -> Iterator[tuple[str, str]]:
    """The parameters that the case names and MindSpore's signatures do not have."""
    parameters = [parameter for signature in signatures for parameter in signature.parameters]
    if not parameters or any(parameter.kind in _COLLECTING for parameter in parameters):
        return
    known = {parameter.name for parameter in parameters}
    for name in case.args:
        rule = rule_of(case, name)
        if is_method_name(case.call or "") and name == RECEIVER:
            continue
        if rule.to is not None and rule.to not in known:
            near = did_you_mean(rule.to, known) or f" (known: {', '.join(sorted(known))})"
            yield f".args.{name}", f"{case.call} has no parameter {rule.to!r}{near}"
    for name in case.add:
        if name not in known:
            yield f".add.{name}", f"{case.call} has no parameter {name!r}{did_you_mean(name, known)}"
