"""The page of a torch name: all cases, examples and evidence."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.explain.conditions import in_words
from mindport.explain.evidence_words import evidence_sentence, only_newer
from mindport.explain.in_place import in_place_remark
from mindport.explain.markdown import documented, link_list, removed, tidy, way_out
from mindport.explain.replacement import case_code
from mindport.explain.target_words import MODES, target_words
from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.localised import localised
from mindport.mapping.names import listed_names
from mindport.mapping.plan import target_names
from mindport.mapping.registered import has_registered_kernels, names_with_kernels, without_kernel
from mindport.mapping.schema import Case, Evidence, Example, Mapping
from mindport.mapping.versions import absence, is_only_documented
from mindport.model.language import listing, say, translated
from mindport.model.target import Device, Mode, Target
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts

_MOST_EXAMPLES = 4


def api_page(name: str, target: Target, index: MappingIndex | None = None) -> str | None:
    """Everything known of a torch name: all cases, examples, evidence. None if torch has no such public
    name."""
    index = load_index() if index is None else index
    found = index.find(name)
    if found is None:
        if torch_facts().kind(name) is None:
            return None
        return tidy(
            [
                f"# {name}",
                "",
                say("Not judged yet for {target}.", target=target_words(target)),
                "",
                documented(name, target),
                link_list([name]),
            ]
        )
    mapping = localised(found)
    lines = [f"# {name}", "", mapping.summary, "", *removed(name), ""]
    if is_only_documented(target.version):
        lines += [documented(name, target), "", only_newer(target.version), ""]
    others = [other for other, _ in listed_names(mapping.torch) if other != name]
    if others:
        lines += [say("Also: {names}.", names=", ".join(f"`{other}`" for other in others)), ""]
    cases = cases_of(name, mapping, index)
    own = [(number, case) for number, case in cases if case.is_for(target)]
    for number, case in own:
        lines += _case_section(name, case, mapping, target, number, is_first=number == own[0][0])
    for number, case in cases:
        if (number, case) not in own:
            lines += _case_section(name, case, mapping, target, number, is_first=False)
    if mapping.examples:
        lines += [say("## Examples"), ""]
        for example in mapping.examples[:_MOST_EXAMPLES]:
            lines += _example(example)
    targets = [case.call for case in mapping.cases if case.call]
    lines += [*mapping.links, link_list([name, *dict.fromkeys(targets)])]
    return tidy(lines)


def _example(example: Example) -> list[str]:
    """The code of both frameworks. Words stand before each block: two blocks side by side are one in Markdown."""
    before, after = (
        [f"    {line}" for line in text.splitlines()] for text in (example.before, example.after)
    )
    if before == after:
        return [say("In both:"), "", *before, ""]
    return [say("In torch:"), "", *before, "", say("In MindSpore:"), "", *after, ""]


def cases_of(name: str, mapping: Mapping, index: MappingIndex) -> list[tuple[int, Case]]:
    """The cases that speak for a name, each with its number in the mapping."""
    form = index.form(name)
    return [
        (number, case)
        for number, case in enumerate(mapping.cases)
        if form is None or not case.forms or form in case.forms
    ]


def _case_section(
    name: str, case: Case, mapping: Mapping, target: Target, number: int, *, is_first: bool
) -> list[str]:
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
        else say("Always")
        if is_first or not case.is_for(target)
        else say("Otherwise")
    )
    lines = [f"## {heading}" + (f" ({', '.join(scope)})" if scope else ""), ""]
    code = case_code(case)
    verdict = translated(case.verdict)
    lines.append(f"`{code}` ({verdict})" if code else say("Verdict: {verdict}.", verdict=verdict))
    if case.silent:
        lines.append(say("**Silently different:** {silent}", silent=case.silent))
    lines += [f"- {sentence}" for sentence in case.differences]
    lines += [case.why, in_place_remark(name, case)]
    lines += way_out(case)
    if reason := absence(target_names(case), target.version):
        lines.append(say("Not with MindSpore {version}: {reason}.", version=target.version, reason=reason))
    lines += [evidence_sentence(one) for one in evidence_of(mapping.evidence, number, target)]
    lines += _kernels(name, case, target)
    return [*lines, ""]


def _kernels(api: str, case: Case, target: Target) -> list[str]:
    """What MindSpore registers for the device of the target; of the CPU runs tell more."""
    if target.device is Device.CPU:
        return []
    device = target.device.value
    names = names_with_kernels(api, case, target_names(case))
    if lacking := without_kernel(names, target):
        return [say("No kernel of `{name}` is registered for {device}.", name=lacking, device=device)]
    if has_registered_kernels(case, names, target):
        return [say("All kernels that it needs are registered for {device}.", device=device)]
    return []


def evidence_of(evidence: Sequence[Evidence], case: int, target: Target) -> list[Evidence]:
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
