"""The answer of the cases of a mapping that look at the arguments of one use."""

from __future__ import annotations

import msgspec

from mindport.mapping.as_value import as_value
from mindport.mapping.bind import NOT_A_CALL, Binding, BoundOverload, bind_call
from mindport.mapping.difference import find_differences
from mindport.mapping.judgement import DifferenceKind, Judgement
from mindport.mapping.match import SIGNS, match_cases
from mindport.mapping.moves import is_method_name, rule_of
from mindport.mapping.named_class import NAMES_A_CLASS, judge_named_class
from mindport.mapping.plan import CasePlan, Plan
from mindport.mapping.schema import Case, Evidence
from mindport.mapping.template import DECORATED, INTO_OPERAND, read_template
from mindport.mapping.transfer import Transfer, transfer_call, transfer_template
from mindport.model.language import say
from mindport.model.target import Mode, Target
from mindport.model.verdict import Applicability, Confidence, Verdict
from mindport.registry.signature import Signature
from mindport.usage.api_use import ApiUse, Form

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
_NO_ARGUMENTS = (BoundOverload(Signature(), {}),)
_PLAIN_RECEIVER = Binding((), _NO_ARGUMENTS, has_receiver=True)
_PLAIN_NAME = Binding((), _NO_ARGUMENTS)
_LACKING = (DifferenceKind.MISSING, DifferenceKind.REPORTED)


def binding_of(use: ApiUse, plan_form: str, signatures: tuple[Signature, ...]) -> Binding:
    """The arguments of a use, bound to torch's signatures."""
    has_receiver = plan_form in ("method", "attribute") and use.receiver is not None
    if plan_form in ("attribute", "value"):
        return _PLAIN_RECEIVER if has_receiver else _PLAIN_NAME
    if use.call is None:
        return _PLAIN_NAME if use.form in _WITHOUT_ARGUMENTS else NOT_A_CALL
    return bind_call(use.call, signatures, has_receiver)


def hides_arguments(use: ApiUse) -> bool:
    """Whether a call has arguments that are not seen, `f(x, **options)`, so that the name is as good as handed on."""
    return use.call is not None and any(argument.star for argument in use.call.arguments)


def by_cases(use: ApiUse, target: Target, plan: Plan) -> Judgement:
    """The answer of the cases that look at the arguments."""
    named = judge_named_class(use, target, plan)
    if named is not None:
        return named
    cases = plan.mapping.cases
    binding = binding_of(use, plan.form, plan.signatures)
    is_called = use.call is not None
    is_annotation = use.form is Form.ANNOTATION
    candidates = [
        i
        for i in plan.cases
        if not cases[i].helper
        and (cases[i].rewrite != DECORATED or use.form is Form.DECORATOR)
        and cases[i].when.get("$call", is_called) is is_called
        and cases[i].when.get("$module", use.in_module) is use.in_module
        and cases[i].when.get("$new", use.on_new_tensor) is use.on_new_tensor
        and cases[i].when.get("$optimizer", use.for_optimizer) is use.for_optimizer
        and cases[i].when.get("$annotation", is_annotation) is is_annotation
        and all(cases[i].when.get(f"${sign}", sign in use.signs) is (sign in use.signs) for sign in SIGNS)
    ]
    if not is_called:
        # What is said of a name that is handed on counts, whatever calls of it may depend on.
        candidates = [i for i in candidates if "$call" in cases[i].when] or candidates
    match = match_cases(cases, candidates, binding, use.result)
    chosen = match.chosen
    if len(match.possible) > 1 and _say_the_same([cases[i] for i in match.possible], match.depends_on):
        chosen = match.possible[-1] if is_called else _as_usual(cases, match.possible)
    if chosen >= 0:
        answer = _chosen(use, target, plan, plan.cases[chosen], binding)
        is_refused = bool(cases[chosen].rewrite) and answer.applicability is None
        unseen = _taken_unseen(use, target, plan, binding) if is_refused else None
        return unseen or answer
    if match.possible:
        unseen = _taken_unseen(use, target, plan, binding)
        return unseen or _depends(use, target, plan, match.possible, match.depends_on)
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


def _taken_unseen(use: ApiUse, target: Target, plan: Plan, binding: Binding) -> Judgement | None:
    """The answer of the case for names that are handed on, for a call with hidden arguments that it can write."""
    cases = plan.mapping.cases
    handed_on = [i for i in plan.cases if not cases[i].helper and cases[i].when.get("$call") is False]
    if not hides_arguments(use) or len(handed_on) != 1:
        return None
    answer = _chosen(use, target, plan, plan.cases[handed_on[0]], binding)
    return answer if answer.applicability is not None else None


def _say_the_same(cases: list[Case], depends_on: tuple[str, ...]) -> bool:
    """Whether cases differ in their conditions and explanations only, so that it does not matter which
    applies. Where all of them ask the same of an argument that is not known none may apply."""
    first = _without_conditions(cases[0])
    if any(_without_conditions(case) != first for case in cases[1:]):
        return False
    asked = [[case.when.get(name) for case in cases] for name in depends_on]
    return not any(one[0] is not None and all(other == one[0] for other in one) for one in asked)


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
        closeness = as_value(use, case, plan, case_plan.signatures)
        if closeness is None:
            return _depends(use, target, plan, (case_plan.index,), ("arguments",))
        applicability = weaker(applicability, closeness)
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
        applicability = weaker(applicability, Applicability.UNSAFE)
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


def weaker(one: Applicability | None, other: Applicability) -> Applicability | None:
    """How far a fix may go that may go no further than either; None for no fix."""
    order = (Applicability.SAFE, Applicability.UNSAFE, Applicability.DISPLAY)
    return None if one is None else max(one, other, key=order.index)
