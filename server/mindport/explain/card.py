"""Markdown cards: the first line says what to write, then silent traps, then only what differs, then what
stands behind it. Plain lists and code spans, so that a card reads well where nobody renders it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from mindport.explain.conditions import in_words
from mindport.explain.in_place import in_place_remark
from mindport.explain.replacement import call_code, case_code, short_name
from mindport.explain.target_words import MODES, target_words
from mindport.mapping.by_cases import binding_of
from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.judgement import DifferenceKind, Judgement
from mindport.mapping.localised import localised
from mindport.mapping.names import listed_names
from mindport.mapping.plan import TorchSide, target_names
from mindport.mapping.schema import Case, Evidence, Mapping
from mindport.mapping.versions import absence, documented_words, is_only_documented
from mindport.model.language import later, listing, say, translated
from mindport.model.target import Mode, Target
from mindport.model.verdict import Applicability, Confidence, Verdict
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.usage.api_use import ApiUse, Form

_MOST_DIFFERENCES = 8
_SLOW = 3  # times as long as torch: worth saying
_REFUSED = re.compile(r"raises for (\w+) input")
_DIFFERING = re.compile(r"(\w+) input differs")
_OTHER_DTYPE = re.compile(r"(\w+) where torch gives (\w+)")
_POLICIES = {
    "equivalent": later("Use an equivalent construct."),
    "compose": later("Compose it from other operators."),
    "custom-op": later("Write a custom operator (`mindspore.ops.Custom`)."),
    "community": later("Look for a port in the MindSpore community."),
}


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
    """The card of one use."""
    lines = [_headline(judgement, use), ""]
    if judgement.silent and not judgement.depends_on:
        lines.append(say("**Silently different:** {silent}", silent=judgement.silent))
    if judgement.case is not None and judgement.case.why:
        lines.append(judgement.case.why)
    if judgement.case is not None:
        lines.append(in_place_remark(use.api, judgement.case))
    lines += [f"- {sentence}" for sentence in _differences(judgement)]
    if judgement.case is not None:
        lines += _way_out(judgement.case)
    if judgement.depends_on and judgement.mapping is not None:
        lines += [_alternative(judgement.mapping.cases[index]) for index in judgement.possible]
    lines.append("")
    lines += _standing(judgement, target)
    if use.confidence in (Confidence.GUESSED, Confidence.INFERRED):
        lines.append(
            say("The type of the value is {confidence}.", confidence=translated(use.confidence.value))
        )
    lines.append(_links(use.api, judgement))
    return _tidy(lines)


def api_page(name: str, target: Target, index: MappingIndex | None = None) -> str | None:
    """Everything known of a torch name: all cases, examples, evidence. None if torch has no such public
    name."""
    index = load_index() if index is None else index
    found = index.find(name)
    if found is None:
        if torch_facts().kind(name) is None:
            return None
        return _tidy(
            [
                f"# {name}",
                "",
                say("Not judged yet for {target}.", target=target_words(target)),
                "",
                _documented(name, target),
                _link_list([name]),
            ]
        )
    mapping = localised(found)
    lines = [f"# {name}", "", mapping.summary, "", *_removed(name), ""]
    if is_only_documented(target.version):
        lines += [_documented(name, target), ""]
    others = [other for other, _ in listed_names(mapping.torch) if other != name]
    if others:
        lines += [say("Also: {names}.", names=", ".join(f"`{other}`" for other in others)), ""]
    form = index.form(name)
    for number, case in enumerate(mapping.cases):
        if form is not None and case.forms and form not in case.forms:
            continue
        lines += _case_section(name, case, number, mapping, target)
    if mapping.examples:
        lines += [say("## Examples"), ""]
        for example in mapping.examples[:4]:
            after = [f"    {line}" for line in example.after.splitlines()]
            lines += [f"    {line}" for line in example.before.splitlines()]
            lines += ["", say("becomes"), "", *after, ""]
    targets = [case.call for case in mapping.cases if case.call]
    lines += [*mapping.links, _link_list([name, *dict.fromkeys(targets)])]
    return _tidy(lines)


def rule_page(rule: RulePage) -> str:
    """The page of a rule, from its docstring; underlined headings become markdown ones."""
    body = re.sub(r"^(?P<title>\S.*)\n-{3,}$", r"## \g<title>", rule.page.strip(), flags=re.MULTILINE)
    return f"# {rule.code} {rule.name}\n\n{body}\n"


def plain_text(card: str) -> str:
    """The card for clients that show no markdown: without emphasis, code marks and link brackets."""
    text = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r"\1: \2", card)
    text = re.sub(r"^#+ ", "", text, flags=re.MULTILINE)
    return text.replace("**", "").replace("`", "")


def _headline(judgement: Judgement, use: ApiUse) -> str:
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
            "It depends on {names} what replaces {name}:", names=_listed(judgement.depends_on), name=name
        )
    if judgement.case is None:
        if judgement.version_reason or judgement.device_reason:
            return say("Nothing for {name} on {target}.", name=name, target=target_words(judgement.target))
        what = say("with these arguments ") if judgement.mapping is not None else ""
        return say(
            "{name} {what}has not been judged yet. {documented}",
            name=name,
            what=what,
            documented=_documented(use.api, judgement.target),
        ).strip()
    code = _use_code(judgement, use, judgement.case)
    if judgement.verdict is Verdict.NONE:
        return say("Nothing on {target} replaces {name}.", target=target_words(judgement.target), name=name)
    if not code:
        if judgement.verdict is Verdict.SAME:
            return say("{name} stays as it is written.", name=name)
        return say("{name} needs changes by hand.", name=name)
    if judgement.verdict is Verdict.SAME and not judgement.applicability:
        return say("`{code}` is the same as {name}", code=code, name=name)
    if judgement.verdict is Verdict.DIFFERS and not judgement.applicability:
        return say("`{code}` comes closest to {name}", code=code, name=name)
    return say("`{code}` replaces {name}", code=code, name=name)


def _use_code(judgement: Judgement, use: ApiUse, case: Case) -> str:
    torch: TorchSide = torch_facts()
    binding = binding_of(use, judgement.form or "", torch.signatures(use.api))
    signatures = mindspore_facts(judgement.target.version).signatures(case.call) if case.call else ()
    return call_code(use, case, binding, signatures)


def _differences(judgement: Judgement) -> list[str]:
    """What differs and matters, the silent first; the rest is left out of a card."""
    shown = [
        _full_stop(difference.sentence())
        for difference in judgement.differences
        if difference.matters or difference.kind is DifferenceKind.DEFAULT
    ]
    shown += judgement.case.differences if judgement.case is not None else []
    if len(shown) > _MOST_DIFFERENCES:
        shown = [
            *shown[:_MOST_DIFFERENCES],
            say("and {count} more; see `mindport explain`.", count=len(shown) - _MOST_DIFFERENCES),
        ]
    return shown


def _way_out(case: Case) -> list[str]:
    lines = [translated(_POLICIES[case.policy])] if case.policy else []
    if case.tried:
        lines += [say("Tried:"), *(f"- {candidate}" for candidate in case.tried)]
    return lines


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


def _standing(judgement: Judgement, target: Target) -> list[str]:
    """Target, evidence and what may be done."""
    lines = [say("Target: {target}.", target=target_words(target)), *_removed(judgement.api)]
    lines += [_full_stop(reason) for reason in (judgement.device_reason, judgement.version_reason) if reason]
    if judgement.deprecated:
        lines.append(say("Deprecated: {deprecated}.", deprecated=judgement.deprecated))
    if judgement.evidence is not None:
        lines.append(evidence_sentence(judgement.evidence))
    elif judgement.case is not None and judgement.verdict is not Verdict.NONE:
        lines.append(say("Evidence: documented; not run on this target."))
    if judgement.documented and judgement.mapping is not None:
        lines.append(_sentence(judgement.documented))
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


def evidence_sentence(evidence: Evidence) -> str:
    """What a run saw, in one sentence."""
    names = {"torch": evidence.torch, "mindspore": evidence.mindspore, "device": evidence.device}
    versions = (
        say("torch {torch} and MindSpore {mindspore} on {device} in graph mode", **names)
        if evidence.mode == Mode.GRAPH.value
        else say("torch {torch} and MindSpore {mindspore} on {device}", **names)
    )
    if evidence.grade != "run":
        return say(
            "Evidence: {grade} for {versions}{note}.",
            grade=translated(evidence.grade),
            versions=versions,
            note=say("; {note}", note=translated(evidence.note)) if evidence.note else "",
        )
    if not evidence.agrees:
        return say(
            "Evidence: a run of {versions} disagreed. {note}",
            versions=versions,
            note=translated(evidence.note),
        ).strip()
    largest = (
        ""
        if evidence.max_abs is None
        else say(", largest difference {max_abs:.1g}", max_abs=evidence.max_abs)
    )
    samples = say("1 sample") if evidence.samples == 1 else say("{samples} samples", samples=evidence.samples)
    return say(
        "Evidence: {versions} agreed on {samples}{largest}.{slowness}",
        versions=versions,
        samples=samples,
        largest=largest,
        slowness=_slowness(evidence) + _other_inputs(evidence.note),
    )


def _other_inputs(note: str) -> str:
    """What a run saw with inputs of other types than the example's, which its note tells in set phrases."""
    found = []
    if refused := _REFUSED.findall(note):
        found.append(say(" It refuses {dtypes}.", dtypes=listing([*dict.fromkeys(refused)])))
    if differing := _DIFFERING.findall(note):
        found.append(say(" The values differ for {dtypes}.", dtypes=listing([*dict.fromkeys(differing)])))
    for given, wanted in dict.fromkeys(_OTHER_DTYPE.findall(note)):
        found.append(say(" It gives {given} where torch gives {wanted}.", given=given, wanted=wanted))
    return "".join(found)


def _slowness(evidence: Evidence) -> str:
    """What to know of the speed; empty where it is about torch's, or was not measured."""
    if evidence.time_ratio is None or evidence.time_ratio <= _SLOW:
        return ""
    return say(
        " It took {time_ratio:g} times as long as torch's call, measured on {time_elements:,} numbers.",
        time_ratio=evidence.time_ratio,
        time_elements=evidence.time_elements,
    )


def _case_section(name: str, case: Case, number: int, mapping: Mapping, target: Target) -> list[str]:
    condition = in_words(case)
    scope = [*case.devices, *(translated(MODES[Mode(mode)]) for mode in case.modes)]
    if case.since:
        scope.append(say("from {since}", since=case.since))
    if case.until:
        scope.append(say("up to {until}", until=case.until))
    if case.forms:
        scope.append(
            say("as {forms}", forms=listing([translated(form) for form in case.forms], is_choice=True))
        )
    heading = (
        say("If {condition}", condition=condition)
        if condition
        else say("Otherwise")
        if number
        else say("Always")
    )
    lines = [f"## {heading}" + (f" ({', '.join(scope)})" if scope else ""), ""]
    code = case_code(case)
    verdict = translated(case.verdict)
    lines.append(f"`{code}` ({verdict})" if code else say("Verdict: {verdict}.", verdict=verdict))
    if case.silent:
        lines.append(say("**Silently different:** {silent}", silent=case.silent))
    if case.why:
        lines.append(case.why)
    lines.append(in_place_remark(name, case))
    lines += [f"- {sentence}" for sentence in case.differences]
    lines += _way_out(case)
    if reason := absence(target_names(case), target.version):
        lines.append(say("Not with MindSpore {version}: {reason}.", version=target.version, reason=reason))
    lines += [evidence_sentence(one) for one in _seen(mapping.evidence, number, target)]
    return [*lines, ""]


def _seen(evidence: Sequence[Evidence], case: int, target: Target) -> list[Evidence]:
    """What was seen of a case on the target, and by the newest MindSpore in PyNative."""
    newest = str(mindspore_facts().collected_version)
    return [
        one
        for one in evidence
        if one.case == case
        and (
            (one.mindspore, one.mode) == (newest, Mode.PYNATIVE.value)
            or (one.mindspore, one.mode) == (str(target.version), target.mode.value)
        )
    ]


def _removed(name: str) -> list[str]:
    version = torch_facts().removed(name)
    if version is None:
        return []
    return [
        say("torch has had no `{name}` since {version}.", name=name, version=version)
        if version
        else say("torch has no `{name}` any more.", name=name)
    ]


def _documented(name: str, target: Target) -> str:
    said = documented_words(name, target.version)
    return _sentence(said) if said else say("The documentation's tables have no row for it.")


def _sentence(text: str) -> str:
    return _full_stop(f"{text[:1].upper()}{text[1:]}")


def _full_stop(text: str) -> str:
    """A sentence with its end; one that has it stays."""
    return text if text.endswith((".", "。")) else say("{sentence}.", sentence=text)


def _links(api: str, judgement: Judgement) -> str:
    names = [api] if api.startswith("torch.") else []
    if judgement.mindspore_name:
        names.append(judgement.mindspore_name)
    own = judgement.mapping.links if judgement.mapping is not None else []
    return " ".join(filter(None, [*own, _link_list(names)]))


def _link_list(names: list[str]) -> str:
    return " | ".join(f"[{name}]({link})" for name in names if (link := _link(name)))


def _link(name: str) -> str:
    """The page of a name in the frameworks' documentation."""
    parts = name.split(".")
    if parts[0] == "torch":
        return f"https://docs.pytorch.org/docs/stable/generated/{name}.html"
    folder = parts[1] if len(parts) > 2 and parts[1] in ("ops", "nn", "mint") else "mindspore"
    if parts[1:2] == ["Tensor"]:
        folder = "mindspore/Tensor"
    language = say("en")  # of the documentation on mindspore.cn
    return f"https://www.mindspore.cn/docs/{language}/master/api_python/{folder}/{name}.html"


def _listed(names: tuple[str, ...]) -> str:
    words = [{"$result": say("what becomes of the result")}.get(name, f"`{name}`") for name in names]
    if words == ["`arguments`"]:
        return say("its arguments, which are not seen here,")
    return listing(words)


def _tidy(lines: list[str]) -> str:
    """One text with a blank line between paragraphs and around lists, as markdown wants it."""
    out: list[str] = []
    for line in lines:
        last = out[-1] if out else ""
        goes_on = any(line.startswith(mark) and last.startswith(mark) for mark in ("- ", "    "))
        if line and last and not goes_on:
            out.append("")
        if line or last:
            out.append(line)
    return "\n".join(out).strip() + "\n"


__all__ = ["api_card", "api_page", "evidence_sentence", "plain_text", "rule_page", "short_name"]
