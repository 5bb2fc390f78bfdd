"""Judges one use of torch on one target: which case of its mapping applies, what differs, and whether a fix
is safe.

A pure function of the use, the target and the facts. What does not depend on the call is planned once per
name and target, and the plainest calls share one answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from mindport.mapping.by_cases import binding_of, by_cases, hides_arguments, weaker
from mindport.mapping.condition import FALSE
from mindport.mapping.handed_on import (
    calls_by_position,
    helper_with_arguments_of_torch,
    takes_arguments_as_they_stand,
)
from mindport.mapping.helper_source import takes_arguments
from mindport.mapping.index import MappingIndex
from mindport.mapping.judgement import Judgement
from mindport.mapping.match import evaluate_when
from mindport.mapping.plan import CasePlan, MindSporeSide, Plan, TorchSide, make_plan
from mindport.mapping.schema import Forms
from mindport.mapping.seen_arguments import seen_variants
from mindport.mapping.versions import documented_words
from mindport.model.language import in_force, say
from mindport.model.target import Mode, Target
from mindport.model.verdict import Applicability, Confidence, Verdict
from mindport.registry.signature import ParameterKind
from mindport.usage.api_use import ApiUse, Form, ResultUse

# Where a name can stand for another with the same arguments. A class that is only named needs no arguments.
_NEVER_SAFE = (Confidence.TAKEN, Confidence.SEEN)
_TAKES_HELPERS = frozenset(
    (Form.CALL, Form.METHOD, Form.VALUE, Form.BASE_CLASS, Form.DECORATOR, Form.CONTEXT, Form.IMPORT)
)


def judge(
    use: ApiUse, target: Target, index: MappingIndex, torch: TorchSide, mindspore: MindSporeSide
) -> Judgement:
    """What can be said of `use` on `target`. Never raises on what the user wrote."""
    if use.library:
        from mindport.registry.libraries import BUILT_ON_TORCH

        advice = BUILT_ON_TORCH.get(use.library, "")
        return Judgement(use.api, target, Verdict.NONE, library=use.library, advice=str(advice))
    if use.form is Form.DYNAMIC:
        return _looked_up(use, target, index, torch, mindspore)
    if use.confidence in _NEVER_SAFE:
        inferred = msgspec.structs.replace(use, confidence=Confidence.INFERRED)
        return _at_most_unsafe(judge(inferred, target, index, torch, mindspore))
    judgement = _by_what_is_written(use, target, index, torch, mindspore)
    if judgement.depends_on and seen_variants(use):
        return _as_seen(use, judgement, lambda one: judge(one, target, index, torch, mindspore))
    return judgement


def _as_seen(use: ApiUse, judgement: Judgement, judged: Callable[[ApiUse], Judgement]) -> Judgement:
    """The answer for the arguments that a run showed, where it is the same for all that were seen; no surer than a run
    is. Else what the text tells."""
    variants = seen_variants(use)
    answers = [judged(one) for one in variants]
    first = answers[0]
    if any(answer.depends_on or _what_counts(answer) != _what_counts(first) for answer in answers):
        return judgement
    return _at_most_unsafe(msgspec.structs.replace(first, as_seen=variants[0]))


def _what_counts(judgement: Judgement) -> tuple[object, ...]:
    return judgement.verdict, judgement.case_index, judgement.applicability, judgement.no_fix_reason


def _by_what_is_written(
    use: ApiUse, target: Target, index: MappingIndex, torch: TorchSide, mindspore: MindSporeSide
) -> Judgement:
    """What the text of a use tells, and what is inferred from it."""
    place = _place_of(use, index.form(use.api), target)
    if place is not target:
        found = judge(use, place, index, torch, mindspore)
        return msgspec.structs.replace(found, target=target)
    plan = _plan_of(use.api, target, index, torch, mindspore)
    if isinstance(plan, Judgement):
        return plan
    simple = _simple_answer(use, target, index)
    if simple is not None:
        return simple
    judgement = _judged(use, target, plan)
    if plan.documented:
        judgement = msgspec.structs.replace(judgement, documented=plan.documented)
    if _is_sharable(plan, judgement):
        _remember(use, target, index, judgement)
    return judgement


def _looked_up(
    use: ApiUse, target: Target, index: MappingIndex, torch: TorchSide, mindspore: MindSporeSide
) -> Judgement:
    """What can be said of a name that is looked up at run time: it may be another one than the project mentions."""
    shared = Judgement(use.api, target, Verdict.NOT_JUDGED, depends_on=(use.detail or say("the name"),))
    found = []
    for name in use.names:
        value = msgspec.structs.replace(use, api=f"{use.api}.{name}", form=Form.VALUE, names=(), detail="")
        answer = judge(value, target, index, torch, mindspore)
        if answer.applicability is not None or (answer.verdict is Verdict.SAME and not answer.silent):
            found.append(name)
    is_listing = use.detail.endswith(".__dict__") and use.result is not ResultUse.INDEXED
    if not found and not is_listing:  # a list of all names is empty where none is mentioned
        return shared
    return msgspec.structs.replace(shared, names=tuple(found), applicability=Applicability.UNSAFE)


def _at_most_unsafe(judgement: Judgement) -> Judgement:
    if judgement.applicability is not Applicability.SAFE:
        return judgement
    return msgspec.structs.replace(judgement, applicability=Applicability.UNSAFE)


def _place_of(use: ApiUse, form: Forms | None, target: Target) -> Target:
    """The target that answers for a use: in graph mode, too, what no graph calls runs op by op. Layers that are built
    in Python are called in graphs."""
    if target.mode is Mode.GRAPH and use.runs_in_python and form != "module":
        return msgspec.structs.replace(target, mode=Mode.PYNATIVE)
    return target


def _plan_of(
    api: str, target: Target, index: MappingIndex, torch: TorchSide, mindspore: MindSporeSide
) -> Plan | Judgement:
    """The plan for a name, or the judgement of a name that no mapping lists."""
    key = (api, target, in_force(), mindspore)
    plan = index.plans.get(key)
    if plan is None:
        mapping, form = index.find(api), index.form(api)
        if mapping is None or form is None:
            documented = documented_words(api, target.version)
            plan = Judgement(api, target, Verdict.NOT_JUDGED, documented=documented)
        else:
            plan = make_plan(api, mapping, form, target, torch, mindspore)
        index.plans[key] = plan
    assert isinstance(plan, (Plan, Judgement))
    return plan


def _simple_key(use: ApiUse, target: Target) -> tuple[object, ...] | None:
    """What tells calls apart that are read by number only: positional arguments of kinds nobody asks
    about."""
    call = use.call
    if call is None:
        return None
    for argument in call.arguments:
        if argument.keyword is not None or argument.star:
            return None
    guessed = use.confidence is Confidence.GUESSED
    surroundings = (use.in_module, use.on_new_tensor, use.for_optimizer, use.signs)
    place = (use.guarded, use.receiver is None, *surroundings)
    return (use.api, target, in_force(), len(call.arguments), guessed, *place)


def _simple_answer(use: ApiUse, target: Target, index: MappingIndex) -> Judgement | None:
    key = _simple_key(use, target)
    answer = None if key is None else index.plans.get(key)
    return answer if isinstance(answer, Judgement) else None


def _remember(use: ApiUse, target: Target, index: MappingIndex, judgement: Judgement) -> None:
    key = _simple_key(use, target)
    if key is not None:
        index.plans[key] = judgement


def _is_sharable(plan: Plan, judgement: Judgement) -> bool:
    """Whether every call with as many positional arguments gets this answer: no case asks for anything, no
    rule looks at a value, and torch has one signature."""
    if len(plan.signatures) > 1 or any(plan.mapping.cases[i].when for i in plan.cases):
        return False
    if plan.helper is not None:
        return False
    if any(p.kind is ParameterKind.VAR_POSITIONAL for one in plan.signatures for p in one.parameters):
        return False
    case = judgement.case
    return case is not None and not any(
        not isinstance(rule, str) and (rule.drop_when is not None or rule.values)
        for rule in case.args.values()
    )


def judge_by_helper(
    use: ApiUse, judgement: Judgement, torch: TorchSide, mindspore: MindSporeSide
) -> Judgement | None:
    """The answer that puts a helper in the place of the name, where that can be applied as safely as `judgement`."""
    mapping, form, case = judgement.mapping, judgement.form, judgement.case
    if mapping is None or form is None or (case is not None and case.helper):
        return None
    plan = make_plan(use.api, mapping, form, _place_of(use, form, judgement.target), torch, mindspore)
    helper = plan.helper
    if helper is None or not _may_help(use, helper, plan):
        return None
    found = _helped(use, judgement.target, plan, helper, judgement)
    return found if is_as_safe(found, judgement) else None


def judge_as_value(
    use: ApiUse, judgement: Judgement, torch: TorchSide, mindspore: MindSporeSide
) -> Judgement | None:
    """The answer for a call whose value somebody takes: it serves where nobody does, too. None where that is no other
    case."""
    mapping, form = judgement.mapping, judgement.form
    if mapping is None or form is None or use.result is not ResultUse.DISCARDED:
        return None
    plan = make_plan(use.api, mapping, form, _place_of(use, form, judgement.target), torch, mindspore)
    found = _judged(msgspec.structs.replace(use, result=ResultUse.OTHER), judgement.target, plan)
    return None if found.case_index == judgement.case_index else found


def is_as_safe(one: Judgement, other: Judgement) -> bool:
    """Whether `one` can be applied as safely as `other`."""
    return weaker(other.applicability, one.applicability or Applicability.DISPLAY) is other.applicability


def _judged(use: ApiUse, target: Target, plan: Plan) -> Judgement:
    judgement = by_cases(use, target, plan)
    helper = plan.helper
    if helper is None or not _may_help(use, helper, plan):
        return _handed_on(use, target, plan) or judgement if judgement.applicability is None else judgement
    if judgement.case is not None and "$forward" in judgement.case.when:
        return judgement  # it is for this kind of base
    if use.form is not Form.BASE_CLASS and judgement.applicability is not None:
        if (
            weaker(judgement.applicability, helper.applicability or Applicability.DISPLAY)
            is helper.applicability
        ):
            return judgement
    elif judgement.verdict is Verdict.SAME and not judgement.no_fix_reason:
        return judgement
    return _helped(use, target, plan, helper, judgement)


def _handed_on(use: ApiUse, target: Target, plan: Plan) -> Judgement | None:
    """The answer for a function that is handed on, where all calls that pass arguments by position become calls of one
    function with the same arguments. One that passes an option by name, as `out=`, is seen by nobody."""
    if use.form is not Form.VALUE or use.call is not None or plan.form != "function" or use.guarded:
        return None
    calls = calls_by_position(use, plan.signatures)
    answers = [by_cases(call, target, plan) for call in calls]
    helped = _to_one_helper(answers, plan)
    if helped is not None:
        return helped
    found = []
    for call, answer in zip(calls, answers, strict=True):
        case = answer.case
        if case is None or case.silent or answer.applicability is None:
            return None
        mindspore = plan.cases[answer.case_index].signatures
        if not takes_arguments_as_they_stand(case, binding_of(call, plan.form, plan.signatures), mindspore):
            return None
        found.append(answer)
    if not found or len({answer.mindspore_name for answer in found}) > 1:
        return None
    return msgspec.structs.replace(_at_most_unsafe(found[0]), no_fix_reason="", differences=())


def _to_one_helper(answers: Sequence[Judgement], plan: Plan) -> Judgement | None:
    """The answer where all these calls become calls of one function that is put into the file, which takes torch's
    arguments: it stands for the name."""
    cases = [
        answer.case for answer in answers if answer.case is not None and answer.applicability is not None
    ]
    helpers = {helper_with_arguments_of_torch(case, plan.signatures) for case in cases}
    if not cases or len(cases) < len(answers) or len(helpers) > 1 or not all(helpers):
        return None
    (helper,) = helpers
    least = max(answers, key=lambda one: one.applicability is not Applicability.SAFE)
    case = msgspec.structs.replace(cases[answers.index(least)], rewrite=None, helper=helper)
    return msgspec.structs.replace(least, case=case, no_fix_reason="", differences=())


def _may_help(use: ApiUse, helper: CasePlan, plan: Plan) -> bool:
    """Whether a name can stand for another one here."""
    case = plan.mapping.cases[helper.index]
    if use.call is not None and case.when.get("$call") is False and not hides_arguments(use):
        return False
    if use.form is Form.BASE_CLASS and (case.helper or "")[:1].islower():
        return False  # a function is nothing to derive from
    if use.call is not None and case.when:
        binding = binding_of(use, plan.form, plan.signatures)
        if evaluate_when(case.when, binding, use.result)[0] is FALSE:
            return False
    if use.call is not None and not _fits(use, case.helper or ""):
        return False
    is_certain = use.confidence is not Confidence.GUESSED and not use.guarded
    return is_certain and use.form in _TAKES_HELPERS and helper.applicability is not None


def _fits(use: ApiUse, helper: str) -> bool:
    """Whether the helper has a place for every argument that the call shows."""
    shown = () if use.call is None else use.call.arguments
    placed = [argument for argument in shown if argument.keyword is None and not argument.star]
    receiver = use.form is Form.METHOD and use.receiver is not None
    named = tuple(argument.keyword for argument in shown if argument.keyword is not None)
    return takes_arguments(helper, len(placed) + receiver, named)


def _helped(use: ApiUse, target: Target, plan: Plan, helper: CasePlan, otherwise: Judgement) -> Judgement:
    """The answer where a helper is put in the place of the name, because nothing as good can be written."""
    case = plan.mapping.cases[helper.index]
    return Judgement(
        use.api,
        target,
        Verdict(case.verdict),
        plan.form,
        plan.mapping,
        case,
        helper.index,
        grade=helper.grade,
        evidence=helper.evidence,
        applicability=helper.applicability,
        silent=otherwise.silent,
    )
