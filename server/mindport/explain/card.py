"""Markdown cards: the first line says what to write, then silent traps, then only what differs, then what
stands behind it. Plain lists and code spans, so that a card reads well where nobody renders it."""

from __future__ import annotations

import re
from typing import Protocol

from mindport.explain.conditions import in_words
from mindport.explain.in_place import in_place_remark
from mindport.explain.replacement import call_code, case_code, short_name
from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.judge import binding_of
from mindport.mapping.judgement import DifferenceKind, Judgement
from mindport.mapping.names import listed_names
from mindport.mapping.plan import TorchSide, target_names
from mindport.mapping.schema import Case, Evidence, Mapping
from mindport.mapping.shared_evidence import shipped_evidence
from mindport.mapping.versions import absence, documented_words, is_only_documented
from mindport.model.target import Target
from mindport.model.verdict import Applicability, Confidence, Verdict
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.usage.api_use import ApiUse, Form

_MOST_DIFFERENCES = 8
_SLOW = 3  # times as long as torch: worth saying
_POLICIES = {
    "equivalent": "Use an equivalent construct.",
    "compose": "Compose it from other operators.",
    "custom-op": "Write a custom operator (`mindspore.ops.Custom`).",
    "community": "Look for a port in the MindSpore community.",
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
        lines.append(f"**Silently different:** {judgement.silent}")
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
        lines.append(f"The type of the value is {use.confidence.value}.")
    lines.append(_links(use.api, judgement))
    return _tidy(lines)


def api_page(name: str, target: Target, index: MappingIndex | None = None) -> str | None:
    """Everything known of a torch name: all cases, examples, evidence. None if torch has no such public
    name."""
    index = load_index() if index is None else index
    mapping = index.find(name)
    if mapping is None:
        if torch_facts().kind(name) is None:
            return None
        return _tidy(
            [
                f"# {name}",
                "",
                f"Not judged yet for {target}.",
                "",
                _documented(name, target),
                _link_list([name]),
            ]
        )
    lines = [f"# {name}", "", mapping.summary, "", *_removed(name), ""]
    if is_only_documented(target.version):
        lines += [_documented(name, target), ""]
    others = [other for other, _ in listed_names(mapping.torch) if other != name]
    if others:
        lines += [f"Also: {', '.join(f'`{other}`' for other in others)}.", ""]
    form = index.form(name)
    for number, case in enumerate(mapping.cases):
        if form is not None and case.forms and form not in case.forms:
            continue
        lines += _case_section(name, case, number, mapping, target)
    if mapping.examples:
        lines += ["## Examples", ""]
        for example in mapping.examples[:4]:
            after = [f"    {line}" for line in example.after.splitlines()]
            lines += [f"    {line}" for line in example.before.splitlines()]
            lines += ["", "becomes", "", *after, ""]
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
        return f"`{judgement.library}` is built on torch: nothing here to write one for one. {judgement.advice}".strip()
    if use.form is Form.DYNAMIC:
        return f"Which torch name this is depends on {use.detail or 'a value not known here'}."
    if judgement.depends_on:
        return f"It depends on {_listed(judgement.depends_on)} what replaces {name}:"
    if judgement.case is None:
        if judgement.version_reason or judgement.device_reason:
            return f"Nothing for {name} on {judgement.target}."
        what = "with these arguments " if judgement.mapping is not None else ""
        return f"{name} {what}has not been judged yet. {_documented(use.api, judgement.target)}".strip()
    code = _use_code(judgement, use, judgement.case)
    if judgement.verdict is Verdict.NONE:
        return f"Nothing on {judgement.target} replaces {name}."
    if not code:
        if judgement.verdict is Verdict.SAME:
            return f"{name} stays as it is written."
        return f"{name} needs changes by hand."
    verb = {Verdict.SAME: "is the same as", Verdict.DIFFERS: "comes closest to"}
    joint = "replaces" if judgement.applicability else verb.get(judgement.verdict, "replaces")
    return f"`{code}` {joint} {name}"


def _use_code(judgement: Judgement, use: ApiUse, case: Case) -> str:
    torch: TorchSide = torch_facts()
    binding = binding_of(use, judgement.form or "", torch.signatures(use.api))
    signatures = mindspore_facts(judgement.target.version).signatures(case.call) if case.call else ()
    return call_code(use, case, binding, signatures)


def _differences(judgement: Judgement) -> list[str]:
    """What differs and matters, the silent first; the rest is left out of a card."""
    shown = [
        difference.sentence() + ("." if not difference.note.endswith(".") else "")
        for difference in judgement.differences
        if difference.matters or difference.kind is DifferenceKind.DEFAULT
    ]
    shown += judgement.case.differences if judgement.case is not None else []
    if len(shown) > _MOST_DIFFERENCES:
        shown = [
            *shown[:_MOST_DIFFERENCES],
            f"and {len(shown) - _MOST_DIFFERENCES} more; see `mindport explain`.",
        ]
    return shown


def _way_out(case: Case) -> list[str]:
    lines = [_POLICIES[case.policy]] if case.policy else []
    if case.tried:
        lines += ["Tried:", *(f"- {candidate}" for candidate in case.tried)]
    return lines


def _alternative(case: Case) -> str:
    code = case_code(case)
    answer = f"`{code}`" if code else ("nothing" if case.verdict == "none" else case.why or case.verdict)
    condition = in_words(case)
    silent = f" (silently different: {case.silent})" if case.silent else ""
    return f"- {f'if {condition}' if condition else 'otherwise'}: {answer}{silent}"


def _standing(judgement: Judgement, target: Target) -> list[str]:
    """Target, evidence and what may be done."""
    lines = [f"Target: {target}.", *_removed(judgement.api)]
    lines += [f"{reason}." for reason in (judgement.device_reason, judgement.version_reason) if reason]
    if judgement.deprecated:
        lines.append(f"Deprecated: {judgement.deprecated}.")
    if judgement.evidence is not None:
        lines.append(evidence_sentence(judgement.evidence))
    elif judgement.case is not None and judgement.verdict is not Verdict.NONE:
        lines.append("Evidence: documented; not run on this target.")
    if judgement.documented and judgement.mapping is not None:
        lines.append(_sentence(judgement.documented))
    if judgement.no_fix_reason:
        lines.append(f"No fix: {judgement.no_fix_reason}.")
    elif judgement.applicability is Applicability.UNSAFE:
        is_proved = judgement.evidence is not None and judgement.evidence.is_proof
        reason = "is not safe for every use" if is_proved else "is not proved on this target"
        lines.append(f"The fix {reason}: look at it before you keep it.")
    return ["\n".join(lines)]


def evidence_sentence(evidence: Evidence) -> str:
    """What a run saw, in one sentence."""
    versions = f"torch {evidence.torch} and MindSpore {evidence.mindspore} on {evidence.device}"
    if evidence.grade != "run":
        return f"Evidence: {evidence.grade} for {versions}{f'; {evidence.note}' if evidence.note else ''}."
    if not evidence.agrees:
        return f"Evidence: a run of {versions} disagreed. {evidence.note}".strip()
    largest = "" if evidence.max_abs is None else f", largest difference {evidence.max_abs:.1g}"
    samples = "1 sample" if evidence.samples == 1 else f"{evidence.samples} samples"
    return f"Evidence: {versions} agreed on {samples}{largest}.{_slowness(evidence)}"


def _slowness(evidence: Evidence) -> str:
    """What to know of the speed; empty where it is about torch's, or was not measured."""
    if evidence.time_ratio is None or evidence.time_ratio <= _SLOW:
        return ""
    return (
        f" It took {evidence.time_ratio:g} times as long as torch's call, "
        f"measured on {evidence.time_elements:,} numbers."
    )


def _case_section(name: str, case: Case, number: int, mapping: Mapping, target: Target) -> list[str]:
    condition = in_words(case)
    scope = [*case.devices, *(f"{mode} mode" for mode in case.modes)]
    if case.since:
        scope.append(f"from {case.since}")
    if case.until:
        scope.append(f"up to {case.until}")
    if case.forms:
        scope.append("as " + " or ".join(case.forms))
    heading = f"If {condition}" if condition else "Otherwise" if number else "Always"
    lines = [f"## {heading}" + (f" ({', '.join(scope)})" if scope else ""), ""]
    code = case_code(case)
    lines.append(f"`{code}` ({case.verdict})" if code else f"Verdict: {case.verdict}.")
    if case.silent:
        lines.append(f"**Silently different:** {case.silent}")
    if case.why:
        lines.append(case.why)
    lines.append(in_place_remark(name, case))
    lines += [f"- {sentence}" for sentence in case.differences]
    lines += _way_out(case)
    if reason := absence(target_names(case), target.version):
        lines.append(f"Not with MindSpore {target.version}: {reason}.")
    seen = [*mapping.evidence, *shipped_evidence(mapping, target.version)]
    lines += [evidence_sentence(one) for one in seen if one.case == number]
    return [*lines, ""]


def _removed(name: str) -> list[str]:
    version = torch_facts().removed(name)
    if version is None:
        return []
    return [f"torch has had no `{name}` since {version}." if version else f"torch has no `{name}` any more."]


def _documented(name: str, target: Target) -> str:
    said = documented_words(name, target.version)
    return _sentence(said) if said else "The documentation's tables have no row for it."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


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
    return f"https://www.mindspore.cn/docs/en/master/api_python/{folder}/{name}.html"


def _listed(names: tuple[str, ...]) -> str:
    words = [{"$result": "what becomes of the result"}.get(name, f"`{name}`") for name in names]
    if words == ["`arguments`"]:
        return "its arguments, which are not seen here,"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


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
