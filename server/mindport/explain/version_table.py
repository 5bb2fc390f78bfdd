"""Where a replacement was run: for each case of a mapping one row, for each collected version of MindSpore and each
mode one column."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.explain.conditions import in_words
from mindport.explain.markdown import table
from mindport.explain.replacement import case_code
from mindport.explain.target_words import MODES
from mindport.mapping.plan import find_evidence, target_names
from mindport.mapping.schema import Case, Mapping
from mindport.mapping.versions import absence
from mindport.model.language import say, translated
from mindport.model.target import Device, Mode, Target, Version
from mindport.registry.mindspore import collected_versions, mindspore_facts


def version_table(mapping: Mapping, cases: Sequence[tuple[int, Case]]) -> list[str]:
    """The lines of the table in Markdown, newest version first; none where no case is a replacement."""
    shown = [(number, case) for number, case in cases if case.verdict != "none" and case_code(case)]
    if not shown:
        return []
    targets = [
        Target(version, Device.CPU, mode)
        for version in reversed(collected_versions())
        for mode in (Mode.PYNATIVE, Mode.GRAPH)
        if mode is Mode.PYNATIVE or _is_run_in(version, mapping, mode)
    ]
    headings = [say("what is written"), say("if")]
    headings += [f"{target.version} CPU, {translated(MODES[target.mode])}" for target in targets]
    rows = [
        (f"`{case_code(case)}`", in_words(case), *(_cell(mapping, number, case, one) for one in targets))
        for number, case in shown
    ]
    return table(headings, rows)


def device_lines(cases: Sequence[tuple[int, Case]]) -> list[str]:
    """What MindSpore's documentation says of the devices of each name that is written, each once."""
    facts = mindspore_facts()
    names = dict.fromkeys(name for _, case in cases for name in target_names(case))
    lines = []
    for name in names:
        devices = facts.devices(name)
        if devices:
            listed = ", ".join(sorted(device.value for device in devices))
            lines.append(say("- `{name}`: {devices}, as its documentation says.", name=name, devices=listed))
    return lines


def _is_run_in(version: Version, mapping: Mapping, mode: Mode) -> bool:
    return any((one.mindspore, one.mode) == (str(version), mode.value) for one in mapping.evidence)


def _cell(mapping: Mapping, number: int, case: Case, target: Target) -> str:
    if absence(target_names(case), target.version) or not _is_for(case, target):
        return say("not there")
    seen = find_evidence(mapping.evidence, number, target)
    if seen is None:
        return say("not run")
    if not seen.agrees:
        return say("disagrees")
    if seen.grade != "run":
        return translated(seen.grade)
    samples = say("1 sample") if seen.samples == 1 else say("{samples} samples", samples=seen.samples)
    return say("agrees, {samples}", samples=samples)


def _is_for(case: Case, target: Target) -> bool:
    return (
        case.is_for(target)
        and (case.since is None or target.version >= Version.parse(case.since))
        and (case.until is None or target.version <= Version.parse(case.until))
    )
