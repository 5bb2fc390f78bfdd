"""Judges a class that is named and not built: in an annotation, in `isinstance`, compared with `type(x)`.

What it would be built with does not matter there, so neither do conditions on arguments, other defaults and
what they would silently change; only which class stands for it."""

from __future__ import annotations

import ast

import msgspec

from mindport.mapping.judgement import Judgement
from mindport.mapping.plan import Plan
from mindport.mapping.schema import Case
from mindport.mapping.standing_classes import builds, is_class_name, standing_classes, without_derived
from mindport.model.language import say
from mindport.model.target import Target
from mindport.model.verdict import Applicability, Confidence, Grade, Verdict
from mindport.source.syntax import parse_expression
from mindport.usage.api_use import ApiUse, Form

NAMES_A_CLASS = frozenset((Form.ANNOTATION, Form.TYPE_CHECK))


def names_several(case: Case) -> bool:
    """Whether several classes stand for one, which only `isinstance` takes: `(nn.GroupNorm, TorchInstanceNorm2d)`."""
    written = case.rewrite or ""
    if case.when.get("$call") is not False or not written.startswith("("):
        return False
    return isinstance(parse_expression(written), ast.Tuple)


def judge_named_class(use: ApiUse, target: Target, plan: Plan) -> Judgement | None:
    """The judgement of a named class; None where this is no such use, or the mapping has cases made for it,
    or several classes or none stand for it, so that the usual way has to decide."""
    if use.form not in NAMES_A_CLASS or plan.form not in ("module", "class"):
        return None
    cases = {index: plan.mapping.cases[index] for index in plan.cases}
    if any("$call" in case.when for case in cases.values()):
        return None
    # Functions can stand for a layer that is called; only a class is something to be an instance of.
    tests_layers = use.form is Form.TYPE_CHECK and plan.form == "module"
    if tests_layers:
        targets = without_derived(standing_classes(cases.values()))
    else:
        targets = tuple({case.call for case in cases.values() if case.call and is_class_name(case.call)})
        targets = targets or standing_classes(cases.values())
    if not targets or (len(targets) > 1 and not tests_layers):
        return None
    building = {index: case for index, case in cases.items() if builds(case, targets)}
    first = [item for item in building.items() if builds(item[1], targets[:1])]
    index, case = min(first, key=lambda item: item[1].rewrite is not None)
    is_proved = any(plan.cases[index].grade is Grade.RUN for index in building)
    if case.rewrite is not None:  # only the name of what it builds is written here
        case = msgspec.structs.replace(case, helper=targets[0], rewrite=None)
    applicability = Applicability.SAFE if is_proved else Applicability.UNSAFE
    is_fixable = use.confidence is not Confidence.GUESSED and not use.guarded
    return Judgement(
        use.api,
        target,
        Verdict.RENAMED,
        plan.form,
        plan.mapping,
        case,
        index,
        mindspore_name=case.call or "",
        grade=plan.cases[index].grade,
        applicability=applicability if is_fixable else None,
        no_fix_reason="" if is_fixable else say("the type of the value is a guess"),
        stands_with=targets[1:],
    )
