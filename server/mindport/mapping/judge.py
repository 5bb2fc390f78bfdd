"""Judges one use of torch on one target: which case of its mapping applies, what differs, and whether a fix
is safe.

A pure function of the use, the target and the facts. What does not depend on the call is planned once per
name and target, and the plainest calls share one answer.
"""

from __future__ import annotations

import msgspec

from mindport.mapping.bind import NOT_A_CALL, Binding, BoundOverload, bind_call
from mindport.mapping.condition import FALSE
from mindport.mapping.difference import find_differences
from mindport.mapping.handed_on import calls_by_position, takes_arguments_as_they_stand
from mindport.mapping.index import MappingIndex
from mindport.mapping.judgement import DifferenceKind, Judgement
from mindport.mapping.match import SIGNS, evaluate_when, match_cases
from mindport.mapping.moves import is_method_name, is_plain, rule_of, same_default
from mindport.mapping.named_class import NAMES_A_CLASS, judge_named_class, names_several
from mindport.mapping.plan import CasePlan, MindSporeSide, Plan, TorchSide, make_plan
from mindport.mapping.schema import Case, Evidence, Forms
from mindport.mapping.template import DECORATED, INTO_OPERAND, read_template
from mindport.mapping.transfer import Transfer, transfer_call, transfer_template
from mindport.mapping.versions import documented_words
from mindport.model.language import in_force, say
from mindport.model.target import Mode, Target
from mindport.model.verdict import Applicability, Confidence, Verdict
from mindport.registry.signature import ParameterKind, Signature
from mindport.usage.api_use import ApiUse, Form, ResultUse

# Worst last: what is said where several cases may apply.
_ORDER = (
    Verdict.SAME,
    Verdict.RENAMED,
    Verdict.EQUIVALENT,
    Verdict.COMPOSED,
    Verdict.DIFFERS,
    Verdict.NONE,
)
_WITHOUT_ARGUMENTS = NAMES_A_CLASS | {Form.OVERRIDE, Form.IMPORT}
_NEVER_REWRITTEN = frozenset((Form.IMPORT, Form.OPERATOR, Form.INDEX, Form.CONFIG, Form.DYNAMIC))
# Where a name can stand for another with the same arguments. A class that is only named needs no arguments.
_TAKES_HELPERS = frozenset(
    (Form.CALL, Form.METHOD, Form.VALUE, Form.BASE_CLASS, Form.DECORATOR, Form.CONTEXT, Form.IMPORT)
)
_NO_ARGUMENTS = (BoundOverload(Signature(), {}),)
_PLAIN_RECEIVER = Binding((), _NO_ARGUMENTS, has_receiver=True)
_PLAIN_NAME = Binding((), _NO_ARGUMENTS)
_LACKING = (DifferenceKind.MISSING, DifferenceKind.REPORTED)


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
    if use.confidence is Confidence.TAKEN:
        inferred = msgspec.structs.replace(use, confidence=Confidence.INFERRED)
        return _at_most_unsafe(judge(inferred, target, index, torch, mindspore))
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


def binding_of(use: ApiUse, plan_form: str, signatures: tuple[Signature, ...]) -> Binding:
    """The arguments of a use, bound to torch's signatures."""
    has_receiver = plan_form in ("method", "attribute") and use.receiver is not None
    if plan_form in ("attribute", "value"):
        return _PLAIN_RECEIVER if has_receiver else _PLAIN_NAME
    if use.call is None:
        return _PLAIN_NAME if use.form in _WITHOUT_ARGUMENTS else NOT_A_CALL
    return bind_call(use.call, signatures, has_receiver)


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
    key = (api, target, in_force())
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
    return _weaker(other.applicability, one.applicability or Applicability.DISPLAY) is other.applicability


def _judged(use: ApiUse, target: Target, plan: Plan) -> Judgement:
    judgement = _by_cases(use, target, plan)
    helper = plan.helper
    if helper is None or not _may_help(use, helper, plan):
        return _handed_on(use, target, plan) or judgement if judgement.applicability is None else judgement
    if use.form is not Form.BASE_CLASS and judgement.applicability is not None:
        if (
            _weaker(judgement.applicability, helper.applicability or Applicability.DISPLAY)
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
    found = []
    for call in calls_by_position(use, plan.signatures):
        answer = _by_cases(call, target, plan)
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


def _may_help(use: ApiUse, helper: CasePlan, plan: Plan) -> bool:
    """Whether a name can stand for another one here."""
    case = plan.mapping.cases[helper.index]
    if use.call is not None and case.when.get("$call") is False and not _hides_arguments(use):
        return False
    if use.form is Form.BASE_CLASS and (case.helper or "")[:1].islower():
        return False  # a function is nothing to derive from
    if use.call is not None and case.when:
        binding = binding_of(use, plan.form, plan.signatures)
        if evaluate_when(case.when, binding, use.result)[0] is FALSE:
            return False
    is_certain = use.confidence is not Confidence.GUESSED and not use.guarded
    return is_certain and use.form in _TAKES_HELPERS and helper.applicability is not None


def _hides_arguments(use: ApiUse) -> bool:
    """Whether a call has arguments that are not seen, `f(x, **options)`, so that the name is as good as handed on."""
    return use.call is not None and any(argument.star for argument in use.call.arguments)


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


def _by_cases(use: ApiUse, target: Target, plan: Plan) -> Judgement:
    """The answer of the cases that look at the arguments."""
    named = judge_named_class(use, target, plan)
    if named is not None:
        return named
    cases = plan.mapping.cases
    binding = binding_of(use, plan.form, plan.signatures)
    is_called = use.call is not None
    candidates = [
        i
        for i in plan.cases
        if not cases[i].helper
        and (cases[i].rewrite != DECORATED or use.form is Form.DECORATOR)
        and cases[i].when.get("$call", is_called) is is_called
        and cases[i].when.get("$module", use.in_module) is use.in_module
        and cases[i].when.get("$new", use.on_new_tensor) is use.on_new_tensor
        and cases[i].when.get("$optimizer", use.for_optimizer) is use.for_optimizer
        and all(cases[i].when.get(f"${sign}", sign in use.signs) is (sign in use.signs) for sign in SIGNS)
    ]
    if not is_called:
        # What is said of a name that is handed on counts, whatever calls of it may depend on.
        candidates = [i for i in candidates if "$call" in cases[i].when] or candidates
    match = match_cases(cases, candidates, binding, use.result)
    chosen = match.chosen
    if len(match.possible) > 1 and _say_the_same([cases[i] for i in match.possible]):
        chosen = match.possible[-1] if is_called else _as_usual(cases, match.possible)
    if chosen >= 0:
        return _chosen(use, target, plan, plan.cases[chosen], binding)
    if match.possible:
        handed_on = [i for i in plan.cases if not cases[i].helper and cases[i].when.get("$call") is False]
        if _hides_arguments(use) and len(handed_on) == 1:
            answer = _chosen(use, target, plan, plan.cases[handed_on[0]], binding)
            if answer.applicability is not None:
                return answer
        return _depends(use, target, plan, match.possible, match.depends_on)
    shared = Judgement(use.api, target, Verdict.NOT_JUDGED, plan.form, plan.mapping)
    if plan.cases:
        return msgspec.structs.replace(shared, no_fix_reason=say("no case covers these arguments"))
    if plan.version_reason or plan.device_reason:
        return msgspec.structs.replace(
            shared,
            verdict=Verdict.NONE,
            version_reason=plan.version_reason,
            device_reason=plan.device_reason,
        )
    return shared


def _say_the_same(cases: list[Case]) -> bool:
    """Whether cases differ in their conditions and explanations only, so that it does not matter which
    applies."""
    first = _without_conditions(cases[0])
    return all(_without_conditions(case) == first for case in cases[1:])


def _as_usual(cases: list[Case], possible: tuple[int, ...]) -> int:
    """Of cases that say the same, the one for a name that is not called here: the first that only asks for arguments
    which the replacement does not take. Who passes one later hears of it."""
    return next(
        (i for i in possible if all(rule_of(cases[i], name).drop for name in cases[i].when)), possible[-1]
    )


def _without_conditions(case: Case) -> Case:
    return msgspec.structs.replace(case, when={}, why="", differences=[], fix="display", forms=[], devices=[])


def _depends(
    use: ApiUse, target: Target, plan: Plan, possible: tuple[int, ...], depends_on: tuple[str, ...]
) -> Judgement:
    cases = [plan.mapping.cases[i] for i in possible]
    verdicts = {Verdict(case.verdict) for case in cases}
    verdict = max(verdicts, key=_ORDER.index)
    if verdict is Verdict.NONE and len(verdicts) > 1:
        verdict = Verdict.DIFFERS  # for some values there is something, so it is not missing
    if use.call is None:
        depends_on = ("arguments",)
    return Judgement(
        use.api,
        target,
        verdict,
        plan.form,
        plan.mapping,
        possible=possible,
        depends_on=depends_on or ("arguments",),
        no_fix_reason=say("it depends on values that are not known here"),
    )


def _chosen(use: ApiUse, target: Target, plan: Plan, case_plan: CasePlan, binding: Binding) -> Judgement:
    case = plan.mapping.cases[case_plan.index]
    verdict = Verdict(case.verdict)
    applicability = case_plan.applicability
    transfer = Transfer()
    is_proved = case_plan.evidence is not None and case_plan.evidence.is_proof
    differences = find_differences(case, binding, plan.signatures, case_plan.signatures, is_proved)
    if case.rewrite == DECORATED or (use.form is Form.OPERATOR and use.call is None):
        pass
    elif not binding.is_call:
        closeness = _as_value(use, case, plan, case_plan.signatures)
        if closeness is None:
            return _depends(use, target, plan, (case_plan.index,), ("arguments",))
        applicability = _weaker(applicability, closeness)
    elif binding is not _PLAIN_NAME and binding is not _PLAIN_RECEIVER and case.call is not None:
        transfer = transfer_call(case, binding, case_plan.signatures)
    elif case.rewrite is not None:
        transfer = transfer_template(case, binding)
    problem = transfer.problem
    if problem and not plan.signatures and not use.api.startswith("torch."):
        problem = say("what it takes is not known here, so it is written by hand")
    if is_proved and case.fix == "unsafe" and use.on_new_tensor and _is_in_place(use.api, case):
        applicability = Applicability.SAFE  # nobody else sees that the tensor itself is not changed
    if transfer.is_doubtful:
        applicability = _weaker(applicability, Applicability.UNSAFE)
    if verdict in (Verdict.SAME, Verdict.RENAMED) and binding.is_call:
        if _stays_as_it_is(use, case, transfer, binding):
            verdict, applicability = Verdict.SAME, None
        else:
            verdict = Verdict.RENAMED
    is_lacking = any(d.kind in _LACKING and d.matters for d in differences)
    is_lost = use.form is Form.LAYER_CALL and verdict is not Verdict.SAME
    if problem and case.call is not None and (is_lacking or is_lost):
        verdict = max(verdict, Verdict.DIFFERS, key=_ORDER.index)
    if use.confidence is Confidence.GUESSED:
        applicability, problem = None, problem or say("the type of the value is a guess")
    elif problem or use.guarded or _is_never_rewritten(use, case):
        applicability = None
    if verdict is Verdict.SAME and (contradiction := _contradiction(case_plan.evidence)):
        verdict, problem = Verdict.DIFFERS, contradiction
    return Judgement(
        use.api,
        target,
        verdict,
        plan.form,
        plan.mapping,
        case,
        case_plan.index,
        mindspore_name=case.call or "",
        grade=case_plan.grade,
        evidence=case_plan.evidence,
        applicability=applicability,
        no_fix_reason=problem,
        differences=differences,
        silent=case.silent or "",
        deprecated=case_plan.deprecated,
        version_reason=case_plan.version_note,
    )


def _is_never_rewritten(use: ApiUse, case: Case) -> bool:
    is_of_numpy = use.form in (Form.INDEX, Form.OPERATOR) and use.call is not None
    return use.form in _NEVER_REWRITTEN and case.rewrite != INTO_OPERAND and not is_of_numpy


def _contradiction(evidence: Evidence | None) -> str:
    """What a run in graph mode said against a case; empty where there was none, or it agreed."""
    if evidence is None or evidence.agrees or evidence.mode != Mode.GRAPH.value:
        return ""
    return say("a run in graph mode disagreed: {note}", note=evidence.note)


def _is_in_place(api: str, case: Case) -> bool:
    """Whether a case gives the value of a method that changes its tensor."""
    name = api.rpartition(".")[2]
    is_changing = name.endswith("_") and not name.endswith("__")
    return is_changing and case.rewrite is not None and not read_template(case.rewrite).is_statement


def _stays_as_it_is(use: ApiUse, case: Case, transfer: Transfer, binding: Binding) -> bool:
    """Whether the same text works: nothing is written, or the same method with the same arguments."""
    if use.form is Form.LAYER_CALL:
        rules = [rule_of(case, argument.keyword or "") for argument in binding.arguments]
        return not any(rule.by_place or rule.report for rule in rules)
    if case.rewrite is not None or transfer.problem:
        return False
    if case.call is None:
        return case.verdict == "same"
    if not is_method_name(case.call) or use.receiver is None:
        return False
    if case.call.rpartition(".")[2] != use.api.rpartition(".")[2] or transfer.additions:
        return False
    for move in transfer.moves:
        written = binding.arguments[move.places[0]].keyword or "" if move.places else ""
        if move.is_dropped or move.is_packed or move.convert or move.values or move.keyword != written:
            return False
    return True


def _weaker(one: Applicability | None, other: Applicability) -> Applicability | None:
    order = (Applicability.SAFE, Applicability.UNSAFE, Applicability.DISPLAY)
    return None if one is None else max(one, other, key=order.index)


def _as_value(use: ApiUse, case: Case, plan: Plan, mindspore: tuple[Signature, ...]) -> Applicability | None:
    """How far a name that is used as a value can be renamed when nobody sees its arguments. None: not at
    all."""
    torch = plan.signatures
    if case.when.get("$call") is False:
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
