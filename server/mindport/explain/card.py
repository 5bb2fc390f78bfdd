"""Markdown cards: the first line says what to write, then silent traps, then only what differs, then what
stands behind it. Plain lists and code spans, so that a card reads well where nobody renders it."""

from __future__ import annotations

import re
from typing import Protocol

from mindport.explain.conditions import in_words
from mindport.explain.evidence_words import evidence_sentence, only_newer
from mindport.explain.for_call import is_about, is_told
from mindport.explain.in_place import in_place_remark
from mindport.explain.markdown import (
    documented,
    full_stop,
    link_list,
    listed,
    removed,
    sentence,
    tidy,
    way_out,
)
from mindport.explain.replacement import call_code, case_code
from mindport.explain.target_words import target_words
from mindport.mapping.bind import Binding
from mindport.mapping.by_cases import binding_of
from mindport.mapping.judgement import DifferenceKind, Judgement
from mindport.mapping.schema import Case
from mindport.mapping.versions import is_only_documented
from mindport.model.language import say, translated
from mindport.model.target import Target
from mindport.model.verdict import Applicability, Confidence, Grade, Verdict
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.usage.api_use import ApiUse, Form

_MOST_DIFFERENCES = 8


class RulePage(Protocol):
    """What a rule page is made of; `rules.Rule` fits."""

    @property
    def code(self) -> str:
        """MP101."""

    @property
    def name(self) -> str:
        """silent-difference."""

    @property
    def page(self) -> str:
        """The module's docstring."""


def api_card(judgement: Judgement, use: ApiUse, target: Target) -> str:
    """The card of one use: what to write, what differs for it, why, and what stands behind that. The target is named
    once, at the foot."""
    case = judgement.case
    binding = binding_of(use, judgement.form or "", torch_facts().signatures(use.api))
    lines = [_headline(judgement, use, binding), ""]
    if judgement.silent and not judgement.depends_on:
        lines.append(say("**Silently different:** {silent}", silent=judgement.silent))
    why = [case.why, in_place_remark(use.api, case)] if case is not None else []
    is_answer = case is not None and (
        judgement.verdict is Verdict.NONE or not _use_code(judgement, use, case, binding)
    )
    if is_answer:  # where there is nothing to write, the explanation says what to do
        lines += why
    lines += [f"- {sentence}" for sentence in _differences(judgement, use, binding, target)]
    if not is_answer:
        lines += why
    if case is not None:
        lines += way_out(case)
    if judgement.depends_on and judgement.mapping is not None:
        lines += [_alternative(judgement.mapping.cases[index]) for index in judgement.possible]
    lines.append("")
    lines += _standing(judgement)
    if use.seen:
        lines.append(say("Seen in a run: {values}.", values="; ".join(f"`{one}`" for one in use.seen)))
    if use.confidence in (Confidence.GUESSED, Confidence.INFERRED, Confidence.SEEN):
        lines.append(
            say("The type of the value is {confidence}.", confidence=translated(use.confidence.value))
        )
    lines.append(say("Target: {target}.", target=target_words(target)))
    lines.append(_links(use.api, judgement))
    return tidy(lines)


def rule_page(rule: RulePage) -> str:
    """The page of a rule, from its docstring; underlined headings become markdown ones."""
    body = re.sub(r"^(?P<title>\S.*)\n-{3,}$", r"## \g<title>", rule.page.strip(), flags=re.MULTILINE)
    return f"# {rule.code} {rule.name}\n\n{body}\n"


def _headline(judgement: Judgement, use: ApiUse, binding: Binding) -> str:
    """The answer to "what do I write?"."""
    name = f"`{use.api}`"
    if judgement.library:
        return say(
            "`{library}` is built on torch: nothing here to write one for one. {advice}",
            library=judgement.library,
            advice=judgement.advice,
        ).strip()
    if use.form is Form.DYNAMIC:
        return say(
            "Which torch name this is depends on {value}.", value=use.detail or say("a value not known here")
        )
    if judgement.depends_on:
        return say(
            "It depends on {names} what replaces {name}:", names=listed(judgement.depends_on), name=name
        )
    if judgement.case is None:
        if judgement.version_reason or judgement.device_reason:
            return say("Nothing in MindSpore replaces {name}.", name=name)
        what = say("with these arguments ") if judgement.mapping is not None else ""
        return say(
            "{name} {what}has not been judged yet. {documented}",
            name=name,
            what=what,
            documented=documented(use.api, judgement.target),
        ).strip()
    code = _use_code(judgement, use, judgement.case, binding)
    if judgement.verdict is Verdict.NONE:
        return say("Nothing in MindSpore replaces {name}.", name=name)
    if not code:
        if judgement.verdict is Verdict.SAME:
            return say("{name} stays as it is written.", name=name)
        return say("{name} needs changes by hand.", name=name)
    if judgement.verdict is Verdict.SAME and not judgement.applicability:
        return say("`{code}` is the same as {name}", code=code, name=name)
    if judgement.verdict is Verdict.DIFFERS and not judgement.applicability:
        return say("`{code}` comes closest to {name}", code=code, name=name)
    return say("`{code}` replaces {name}", code=code, name=name)


def _use_code(judgement: Judgement, use: ApiUse, case: Case, binding: Binding) -> str:
    signatures = mindspore_facts(judgement.target.version).signatures(case.call) if case.call else ()
    return call_code(use, case, binding, signatures)


def _differences(judgement: Judgement, use: ApiUse, binding: Binding, target: Target) -> list[str]:
    """What differs and matters for the call, the silent first; the rest is left out of a card."""
    own = [] if judgement.case is None else judgement.case.differences
    own = [one for one in own if is_about(one, use, binding, target)]
    said = [*own, judgement.silent, judgement.case.why if judgement.case is not None else ""]
    shown = [
        full_stop(difference.sentence())
        for difference in judgement.differences
        if (difference.matters or difference.kind is DifferenceKind.DEFAULT) and not is_told(difference, said)
    ]
    shown += own
    if len(shown) > _MOST_DIFFERENCES:
        shown = [
            *shown[:_MOST_DIFFERENCES],
            say("and {count} more; see `mindport explain`.", count=len(shown) - _MOST_DIFFERENCES),
        ]
    return shown


def _alternative(case: Case) -> str:
    code = case_code(case)
    answer = (
        f"`{code}`"
        if code
        else (say("nothing") if case.verdict == "none" else case.why or translated(case.verdict))
    )
    condition = in_words(case)
    silent = say(" (silently different: {silent})", silent=case.silent) if case.silent else ""
    if condition:
        return say("- if {condition}: {answer}{silent}", condition=condition, answer=answer, silent=silent)
    return say("- otherwise: {answer}{silent}", answer=answer, silent=silent)


def _standing(judgement: Judgement) -> list[str]:
    """Evidence and what may be done."""
    lines = removed(judgement.api)
    lines += [full_stop(reason) for reason in (judgement.device_reason, judgement.version_reason) if reason]
    if judgement.deprecated:
        lines.append(say("Deprecated: {deprecated}.", deprecated=judgement.deprecated))
    if judgement.evidence is not None:
        lines.append(evidence_sentence(judgement.evidence))
    elif judgement.grade is Grade.REGISTERED:
        lines.append(say("Evidence: registered; MindSpore has the kernels; not run on this target."))
    elif is_only_documented(judgement.target.version) and not judgement.documented:
        lines.append(only_newer(judgement.target.version))
    elif judgement.case is not None and judgement.verdict is not Verdict.NONE:
        lines.append(say("Evidence: documented; not run on this target."))
    if judgement.documented and judgement.mapping is not None:
        lines.append(sentence(judgement.documented))
    if judgement.no_fix_reason:
        lines.append(say("No fix: {reason}.", reason=judgement.no_fix_reason))
    elif judgement.applicability is Applicability.UNSAFE:
        is_proved = judgement.evidence is not None and judgement.evidence.is_proof
        lines.append(
            say("The fix is not safe for every use: look at it before you keep it.")
            if is_proved
            else say("The fix is not proved on this target: look at it before you keep it.")
        )
    return ["\n".join(lines)]


def _links(api: str, judgement: Judgement) -> str:
    names = [api] if api.startswith("torch.") else []
    if judgement.mindspore_name:
        names.append(judgement.mindspore_name)
    own = judgement.mapping.links if judgement.mapping is not None else []
    return " ".join(filter(None, [*own, link_list(names)]))
